/// The links in one `Link` header, by RFC 8288.
struct LinkHeader: Sendable, Hashable {
    struct Link: Sendable, Hashable {
        /// As written, often relative.
        var target: String
        /// The kinds of relation, in lower case.
        var relations: [String]
        /// Whether it is a link of another resource than the one that came with it.
        var isAnchored: Bool
    }

    let links: [Link]

    /// Reads a header's value; nil when it is no list of links.
    init?(_ text: String) {
        var reader = LinkHeaderReader(text)
        var links: [Link] = []
        while !reader.isAtEnd {
            if reader.skip(",") { continue }
            guard let target = reader.target(), let parameters = reader.parameters() else { return nil }
            guard reader.isAtEnd || reader.skip(",") else { return nil }
            links.append(Self.link(target, parameters))
        }
        self.links = links
    }

    /// Where the first link with this relation leads.
    func target(of relation: String) -> String? {
        links.first { !$0.isAnchored && $0.relations.contains(relation) }?.target
    }

    /// Of several `rel` parameters only the first counts.
    private static func link(_ target: String, _ parameters: [(name: String, value: String)]) -> Link {
        let relations = parameters.first { $0.name == "rel" }?.value.lowercased() ?? ""
        return Link(
            target: target, relations: relations.split(whereSeparator: \.isWhitespace).map(String.init),
            isAnchored: parameters.contains { $0.name == "anchor" })
    }
}
