internal import Configuration
internal import Text

/// The components of a shop's graph, made from its keys.
struct ShopExpansion {
    /// The label of the provider that is served.
    static let served = "storefront"
    private static let (disk, shared, sink, monitor, local, remote) = (
        "disk", "shared", "events", "upstream", "local", "remote"
    )

    /// The components, each after those that it refers to.
    private(set) var parts: [ShopPart] = []
    /// Limits of the parts that their text does not show.
    private(set) var notes: [String] = []
    private let keys: ShopKeys

    init(of shop: ConfigNode, _ reader: FieldReader) {
        keys = ShopKeys(shop, reader)
        _ = reader.path("data")
        let data = reader.isSound ? reader.node("data") : nil
        let url = ShopURL.read(reader)
        let fleet = keys.fleet(refilledFrom: Self.disk)
        let sink = keys.sink(in: data ?? .broken(at: shop.position))
        let monitor = keys.monitor(of: url, isInFleet: fleet != nil)

        let directory = ConfigNode.Entry("directory", data ?? .broken(at: shop.position))
        add(StoreFamily.section, Self.disk, keys.component("json_file", [directory] + keys.of("json_file")))
        if let fleet { add(StoreFamily.section, Self.shared, fleet) }
        if let sink { add(SinkFamily.section, Self.sink, sink) }
        if let monitor {
            add(MonitorFamily.section, Self.monitor, monitor)
            let isOfURL = [monitor["address"], monitor["url"]].contains { $0?.position == url.position }
            if url.hasFixedAddress, isOfURL {
                notes.append(
                    "The monitor has the address of the moment of printing; base_url follows its variable.")
            }
        }

        let stored = keys.component("stored", [], [("store", keys.word(Self.disk))])
        add(ProviderFamily.section, Self.local, sink == nil ? stored : counted("products_cache_hit", stored))
        var source = http(url)
        if sink != nil { source = counted("products_network_hit", source) }
        source = keys.gate(above: source, baseline: Self.disk)
        if fleet != nil { source = saved(Self.shared, source) }
        add(ProviderFamily.section, Self.remote, saved(Self.disk, source))

        let (near, far) = (keys.word(Self.local), keys.word(Self.remote))
        let reached = [("monitor", keys.word(Self.monitor)), ("remote", far), ("local", near)]
        let primary = monitor.map { keys.component("reachability", [], reached, at: $0.position) } ?? far
        let fallback = keys.component("fallback", [], [("primary", primary), ("secondary", near)])
        // Replicas without requests follow the fleet as well.
        let refresh = fleet != nil && !keys.has("refresh") ? [("refresh", keys.word("background"))] : []
        let memory = keys.component("memory", keys.of("memory"), refresh + [("upstream", fallback)])
        add(ProviderFamily.section, Self.served, memory)
    }

    private mutating func add(_ section: String, _ label: String, _ node: ConfigNode) {
        parts.append(ShopPart(section: section, label: label, node: node))
    }

    private func saved(_ store: String, _ upstream: ConfigNode) -> ConfigNode {
        keys.component("caching", [], [("store", keys.word(store)), ("upstream", upstream)])
    }

    private func counted(_ event: String, _ upstream: ConfigNode) -> ConfigNode {
        let members = [("sink", keys.word(Self.sink)), ("event", keys.word(event)), ("upstream", upstream)]
        return keys.component("analytics", [], members)
    }

    private func http(_ url: ShopURL) -> ConfigNode {
        var request = [ConfigNode.Entry("base_url", url.base)]
        if let path = url.path { request.append(ConfigNode.Entry("path", path)) }
        request += keys.of("request of http").filter { $0.key != "parameters" }
        if let parameters = parameters(url) { request.append(ConfigNode.Entry("parameters", parameters)) }
        return keys.component(
            "http", [ConfigNode.Entry("request", ConfigNode(request, at: url.position))] + keys.of("http"))
    }

    /// The parameters of the URL and those under their own key.
    private func parameters(_ url: ShopURL) -> ConfigNode? {
        let own = keys.entry("parameters")?.value
        guard !url.parameters.isEmpty else { return own }
        guard let own else { return ConfigNode(url.parameters, at: url.position) }
        guard let entries = own.entries else { return own }
        for entry in entries where url.parameters.contains(where: { $0.key == entry.key }) {
            keys.reader.report(
                .error, at: entry.keyPosition, "\"\(entry.writtenKey)\" is in the query of \"url\" as well; keep one")
        }
        return ConfigNode(url.parameters + entries, at: own.position)
    }
}
