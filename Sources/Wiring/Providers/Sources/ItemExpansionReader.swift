package import Configuration
internal import Decoding
package import Networking
internal import Text
internal import Upstreams

/// `expand` of an `http`.
extension ItemExpansion {
    static let fields: [FieldSpec] = [
        .required(
            "members", .map(.any),
            "member: the path of its URL below base_url, like /products/{id}/price/, or { path, take, merge }"),
        .defaulted("concurrency", .integer, "8", "how many of these requests are under way at once"),
        .defaulted("rate", .string, "50/s", "the most of these requests in a time: 50/s, 600/m"),
        .defaulted("timeout", .duration, "60s", "all these requests of a refresh together"),
        .optional(
            "changed_by", .any,
            "the key path to what changes with the members of an item, like date_updated, or several that all count; without it "
                + "each is asked for at each refresh"),
        .defaulted(
            "on_failure", .choice(FailurePolicy.self), "fail",
            "whether a member that cannot be fetched makes the refresh fail, is left out, or keeps its last value"),
    ]

    /// The fields of a member that is not a path alone.
    private static let memberFields: [FieldSpec] = [
        .required("path", .string, "the path of its URL below base_url, with placeholders for values of the item"),
        .optional("take", .string, "the key path to the value in the answer; else the whole answer"),
        .defaulted("merge", .boolean, "false", "whether the members of the value join those of the item"),
    ]

    /// Reads the field of a provider; nil when it is absent.
    /// - Returns: also the values of environment variables in the URLs.
    static func read(_ provider: FieldReader, _ field: String) -> (value: ItemExpansion, secrets: [Secret])? {
        guard let reader = provider.optionalObject(field) else { return nil }
        let entries = reader.entries("members")
        let members = entries.compactMap { member($0, reader) }
        if entries.isEmpty, reader.has("members") {
            reader.report(.error, at: "members", "\"members\": expected one member at least")
        }
        if let item = provider.node("decode")?["item"] {
            provider.report(
                .error, at: item.position, "\"expand\" adds members to the elements of \"items\"; it excludes \"item\"")
        }
        let rate = reader.rate("rate")
        let expansion = ItemExpansion(
            members: members, concurrency: reader.integer("concurrency", in: 1...64),
            rate: rate ?? .placeholder, timeout: reader.duration("timeout", in: .milliseconds(1)...),
            changedBy: reader.itemPaths("changed_by")?.paths ?? [],
            onFailure: reader.choice("on_failure", FailurePolicy.self))
        let variables = entries.flatMap(\.value.scalars).flatMap(\.variables)
        return (expansion, variables.flatMap { [$0, PercentEncoding.path($0)] }.map(Secret.init))
    }

    private static func member(_ entry: ConfigNode.Entry, _ reader: FieldReader) -> ExpandedMember? {
        let label = "members.\(entry.writtenKey)"
        if entry.key.isEmpty || entry.key.contains(".") {
            reader.report(
                .error, at: entry.keyPosition,
                "\"\(entry.writtenKey)\" is no name of a member; it has no dots, and is not empty")
        }
        guard entry.value.entries != nil || entry.value.text == nil else {
            return url(entry.value, label, reader).map { ExpandedMember(name: entry.key, url: $0) }
        }
        let inner = reader.reader(for: entry.value, fields: memberFields, what: label)
        let take = inner.optionalString("take") == nil ? nil : inner.node("take").flatMap { inner.itemPath($0) }
        let isMerged = inner.boolean("merge")
        _ = inner.string("path")
        return inner.node("path").flatMap { url($0, "path", inner) }
            .map { ExpandedMember(name: entry.key, url: $0, take: take, isMerged: isMerged) }
    }

    private static func url(_ node: ConfigNode, _ label: String, _ reader: FieldReader) -> ItemURL? {
        guard !node.isBroken, let text = node.text else { return nil }
        do throws(ItemURL.Fault) {
            return try ItemURL(text)
        } catch {
            reader.report(.error, at: node.position, "\"\(label)\": \(node.foundValue) \(error)")
            return nil
        }
    }
}

extension RequestRate {
    /// Stands for a rate that has been reported.
    fileprivate static let placeholder = RequestRate(pause: .seconds(1))
}

extension FieldReader {
    /// A rate of requests; nil, with a report, for anything else.
    package func rate(_ field: String) -> RequestRate? {
        let rate = RequestRate(string(field))
        if rate == nil, let node = node(field), !node.isBroken {
            report(
                .error, at: field,
                "\"\(field)\": expected a rate up to 10000/s, like 50/s or 600/m, found \(node.found)")
        }
        return rate
    }
}
