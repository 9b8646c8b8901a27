internal import Configuration
internal import HTTPServer

extension TrustedProxies {
    /// Reads `http.trusted_proxies` and `http.client_address`, which need each other; nil without them.
    init?(_ reader: FieldReader) {
        var networks: [AddressNetwork] = []
        _ = reader.strings("trusted_proxies")
        for node in reader.node("trusted_proxies")?.elements ?? [] {
            guard let text = node.text else { continue }
            if let network = AddressNetwork(text) {
                networks.append(network)
            } else {
                reader.report(
                    .error, at: node.position,
                    "\"trusted_proxies\": expected a network like 10.0.0.0/8 or an address, found \(node.found)",
                    suggestion: AddressNetwork(enclosing: text)?.description)
            }
        }
        let naming = reader.optionalChoice("client_address", Naming.self)
        let isTrusting = reader.node("trusted_proxies")?.elements?.isEmpty == false
        if isTrusting, !reader.has("client_address") {
            reader.report(
                .error, at: "trusted_proxies",
                "these proxies require \"client_address\": forwarded, x_forwarded_for "
                    + "or proxy_protocol")
        } else if !isTrusting, naming != nil {
            reader.report(
                .error, at: "client_address", "no proxy is trusted; list their networks in \"trusted_proxies\"")
        }
        guard let naming, !networks.isEmpty else { return nil }
        self.init(naming: naming, networks: networks)
    }
}
