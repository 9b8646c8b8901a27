internal import Configuration
internal import Networking

extension HTTPReachabilityProbe {
    static let spec = ComponentSpec<MonitorFamily>(
        type: "http",
        summary: "reachable while a URL answers with an expected status",
        fields: [
            .required(
                "url", .urlOf(["http", "https"], like: "http://shop.example/health", or: "unix:"),
                "What to ask, by GET; or unix:/run/shop.sock."),
            .optional("path", .string, "Where to ask at a unix socket; / where it is absent."),
            .defaulted("expect", .string, "200-399", "The statuses that count as success: one, or the first and last."),
        ] + PollingSettings.fields + ConfiguredConnection.fields,
        example: "{ type: http, url: \"http://shop.example/health\", expect: 200-204 }",
        plan: { reader in
            let (upstream, socket) = reader.upstreamURL("url", advice: "a monitor sends none")
            let path = reader.optionalString("path")
            if path != nil, socket == nil { reader.report(.error, at: "path", "the path belongs into \"url\"") }
            if let path, !path.hasPrefix("/") || path.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) {
                reader.report(.error, at: "path", "\"path\" must begin with / and be percent-encoded")
            }
            let url = socket == nil ? upstream : upstream + (path ?? "/")
            let connection = ConfiguredConnection(reader, url: url, from: "url", unixSocket: socket)
            let expected = StatusRange(reader.string("expect"))
            if expected == nil {
                reader.report(.error, at: "expect", "bad status range; write it like 200-399 or 204")
            }
            let settings = PollingSettings(reader)
            let secrets = (socket == nil ? reader.secretsBehindHost(of: "url", baseURL: url) : []) + connection.secrets
            return { assembly in
                let probe = HTTPReachabilityProbe(
                    client: connection.client(in: assembly), url: url,
                    expected: expected?.statuses ?? StatusRange.all, timeout: settings.timeout,
                    secrets: secrets)
                return settings.monitor(probe, in: assembly)
            }
        })
}

extension TCPReachabilityProbe {
    static let spec = ComponentSpec<MonitorFamily>(
        type: "tcp",
        summary: "reachable while an address takes TCP connections",
        fields: [.required("address", .address, "Where to connect to, as host:port.")] + PollingSettings.fields
            + [ConfiguredConnection.addressFamily],
        example: "{ type: tcp, address: \"shop.example:80\", interval: 2s, rise: 1 }",
        plan: { reader in
            let address = reader.address("address")
            let connection = ConfiguredConnection(addressesOf: reader)
            let settings = PollingSettings(reader)
            return { assembly in
                let probe = TCPReachabilityProbe(
                    client: connection.client(in: assembly), host: address.host, port: address.port,
                    timeout: settings.timeout)
                return settings.monitor(probe, in: assembly)
            }
        })
}

/// The expected statuses of a probe, written `200-399` or `204`.
struct StatusRange: Sendable {
    static let all = 100...599
    let statuses: ClosedRange<Int>

    /// Nil for an invalid range.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.count == 3 ? Int(part).flatMap { $0 < 0 ? nil : $0 } : nil }
        guard (1...2).contains(parts.count), numbers.count == parts.count, let first = numbers.first,
            let last = numbers.last, first <= last, Self.all.contains(first), Self.all.contains(last)
        else { return nil }
        statuses = first...last
    }
}
