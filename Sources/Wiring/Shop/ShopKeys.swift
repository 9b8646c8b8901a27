internal import Configuration
internal import Text

/// The keys of a shop as the user wrote them, and the components that some of them describe.
struct ShopKeys {
    let reader: FieldReader
    private let shop: ConfigNode

    init(_ shop: ConfigNode, _ reader: FieldReader) {
        (self.shop, self.reader) = (shop, reader)
    }

    func entry(_ key: String) -> ConfigNode.Entry? { shop.entries?.first { $0.key == key } }

    func has(_ key: String) -> Bool { entry(key) != nil }

    /// The user's entries that belong to a part of `ShopGraph.parts`.
    func of(_ component: String) -> [ConfigNode.Entry] {
        let names = ShopGraph.parts.filter { $0.component == component }.flatMap(\.fields).map(\.name)
        return (shop.entries ?? []).filter { names.contains($0.key) }
    }

    /// The entries of these keys, as far as the user wrote them.
    private func own(_ names: [String]) -> [(String, ConfigNode)] {
        names.compactMap { name in entry(name).map { (name, $0.value) } }
    }

    /// A text of the short form.
    func word(_ text: String) -> ConfigNode { ConfigNode(word: text, at: shop.position) }

    /// A component with entries of the user's, and with the members that these lack.
    func component(
        _ type: String, _ entries: [ConfigNode.Entry], _ members: [(name: String, node: ConfigNode)] = [],
        at position: SourcePosition? = nil
    ) -> ConfigNode {
        let lacking = members.filter { member in !entries.contains { $0.key == member.name } }
        let type = entries.contains { $0.key == "type" } ? [] : [ConfigNode.Entry("type", word(type))]
        return ConfigNode(
            type + entries + lacking.map { ConfigNode.Entry($0.name, $0.node) }, at: position ?? shop.position)
    }
}

/// The components that one key describes: by a word, or by a mapping of their own keys.
extension ShopKeys {
    /// `gate`: the check of new catalogues.
    func gate(above upstream: ConfigNode, baseline: String) -> ConfigNode {
        let gate = choice("gate", GateProfile.allCases.map(\.rawValue) + ["off"], default: GateProfile.usual.rawValue)
        if gate.word == "off" { return upstream }
        let given: Set = ["type", "upstream"]
        for entry in gate.entries where given.contains(entry.key) {
            reader.report(.error, at: entry.keyPosition, "unknown key \"\(entry.writtenKey)\" in \"shop.gate\"")
        }
        let isUsual = gate.word == nil || gate.word == GateProfile.usual.rawValue
        let profile = isUsual ? nil : entry("gate").map { ("profile", $0.value) }
        return component(
            "validated", gate.entries.filter { !given.contains($0.key) },
            [profile].compactMap(\.self) + [("baseline", word(baseline)), ("upstream", upstream)], at: gate.position)
    }

    /// `monitor`: finds the upstream to be away; nil for none.
    func monitor(of url: ShopURL, isInFleet: Bool) -> ConfigNode? {
        // A replica follows its fleet even if it cannot reach the upstream. Behind a proxy the upstream may be reachable
        // where a direct connection fails.
        let usual = has("proxy") ? "http" : "tcp"
        let monitor = choice("monitor", ["tcp", "http", "none"], default: isInFleet ? "none" : usual)
        if monitor.word == "none" { return nil }
        let type = monitor.word ?? monitor.entries.first { $0.key == "type" }?.value.text ?? usual
        let members: [(String, ConfigNode)]
        switch type {
        case "tcp":
            members = [("address", url.address)] + own(["resolve"])
            if has("proxy") {
                reader.report(
                    .warning, at: monitor.position,
                    "a \"tcp\" monitor connects directly and not through \"proxy\"; take http, or none")
            }
        // The root of an API may have no resource, so only the server's errors count as failures.
        case "http":
            let expected = ConfigNode(word: "100-499", at: monitor.position)
            members = [("url", url.origin), ("expect", expected)] + own(["tls", "proxy", "no_proxy", "resolve"])
        default: members = []
        }
        return component(type, monitor.entries, members, at: monitor.position)
    }

    /// `events`: the sink of events; nil for none.
    func sink(in data: ConfigNode) -> ConfigNode? {
        let sink = choice("events", ["file", "log", "none"], default: "file")
        if sink.word == "none" { return nil }
        let type = sink.word ?? sink.entries.first { $0.key == "type" }?.value.text ?? "file"
        let members = type == "file" ? [("path", data.followed(by: "/events.jsonl"))] : []
        return component(type, sink.entries, members, at: sink.position)
    }

    /// `fleet`: the store that all replicas share; nil for a replica of its own.
    func fleet(refilledFrom disk: String) -> ConfigNode? {
        guard let node = entry("fleet")?.value else { return nil }
        if node.text == nil, node.entries == nil, !node.isBroken {
            reader.report(.error, at: node.position, "\"fleet\": expected url or mapping, found \(node.found)")
            return nil
        }
        let url = node.entries ?? [ConfigNode.Entry("url", node)]
        return component("redis", url, [("name", word("catalogue")), ("refill_from", word(disk))], at: node.position)
    }

    private struct Choice {
        /// The word, or its default; nil for a mapping.
        let word: String?
        /// The mapping's.
        let entries: [ConfigNode.Entry]
        let position: SourcePosition
    }

    /// Reads a key that is one of some words or a mapping. Anything else is reported, and counts as the default.
    private func choice(_ field: String, _ words: [String], default usual: String) -> Choice {
        guard let node = entry(field)?.value else { return Choice(word: usual, entries: [], position: shop.position) }
        if let entries = node.entries { return Choice(word: nil, entries: entries, position: node.position) }
        if let text = node.text, words.contains(text) {
            return Choice(word: text, entries: [], position: node.position)
        }
        if !node.isBroken {
            reader.report(
                .error, at: node.position,
                "\"\(field)\": expected \(WordList.alternatives(words + ["mapping"])), found \(node.foundValue)",
                suggestion: node.text.flatMap { ClosestName.to($0, among: words) })
        }
        return Choice(word: usual, entries: [], position: node.position)
    }
}
