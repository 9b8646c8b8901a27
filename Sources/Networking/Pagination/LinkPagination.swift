public import Configuration

/// Pages that name the next one in the `Link` header, as RFC 8288 has it, by `rel="next"`. One that names none is the
/// last.
public struct LinkPagination: Pagination {
    /// `type: link` in the `paginations:` section.
    public static let spec = ComponentSpec<PaginationFamily>(
        type: "link", summary: "pages that name the next one in the Link header, by rel=\"next\"",
        fields: [.maxPages], example: "{ type: link }",
        plan: { reader in
            let pagination = LinkPagination(maxPages: reader.maxPages())
            return { _ in pagination }
        })

    /// The most pages that are read.
    public let maxPages: Int

    /// Creates a pagination.
    public init(maxPages: Int = 1000) {
        self.maxPages = maxPages
    }

    /// False.
    public var isSingle: Bool { false }

    /// The collection's own URL.
    public var first: PageRequest { .parameters([]) }

    /// Says nothing.
    public func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent { CollectionExtent() }

    /// Where the link leads. A header that cannot be read is an error: it may have named a page.
    public func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError) -> PageRequest?
    {
        for header in page.headers.all where header.name.lowercased() == "link" {
            guard let links = LinkHeader(header.value) else {
                throw .unreadable(.header("Link"), expected: "links", found: "something else", page: page.number)
            }
            if let target = links.target(of: "next") { return .link(target) }
        }
        return nil
    }
}

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

/// One pass over the value of a `Link` header.
struct LinkHeaderReader {
    private var rest: Substring

    init(_ text: String) {
        rest = text[...]
    }

    /// Whether only blanks are left.
    var isAtEnd: Bool { rest.allSatisfy(\.isWhitespace) }

    /// Steps over a character and the blanks before it, if it is what comes next.
    mutating func skip(_ character: Character) -> Bool {
        rest = rest.drop(while: \.isWhitespace)
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    /// What stands between angle brackets, commas and semicolons included.
    mutating func target() -> String? {
        guard skip("<"), let end = rest.firstIndex(of: ">") else { return nil }
        defer { rest = rest[rest.index(after: end)...] }
        return String(rest[..<end])
    }

    /// The parameters of a link, their names in lower case; a parameter without a value has an empty one.
    mutating func parameters() -> [(name: String, value: String)]? {
        var parameters: [(name: String, value: String)] = []
        while skip(";") {
            let name = token()
            guard skip("=") else {
                if !name.isEmpty { parameters.append((name.lowercased(), "")) }
                continue
            }
            guard !name.isEmpty, let value = skip("\"") ? quoted() : token() else { return nil }
            parameters.append((name.lowercased(), value))
        }
        return parameters
    }

    private mutating func token() -> String {
        rest = rest.drop(while: \.isWhitespace)
        let token = rest.prefix { !";,=\"<>".contains($0) && !$0.isWhitespace }
        rest = rest[token.endIndex...]
        return String(token)
    }

    private mutating func quoted() -> String? {
        var text = ""
        while let character = rest.popFirst() {
            if character == "\"" { return text }
            guard character == "\\" else {
                text.append(character)
                continue
            }
            guard let escaped = rest.popFirst() else { return nil }
            text.append(escaped)
        }
        return nil
    }
}
