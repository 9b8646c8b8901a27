/// Pages that name the next in the `Link` header of RFC 8288, by `rel="next"`. A page that names none is the last.
package struct LinkPagination: Pagination {
    /// The place of the total of items in a response.
    let total: ResponseField?
    package let maxPages: Int

    package init(total: ResponseField? = nil, maxPages: Int = 1000) {
        (self.total, self.maxPages) = (total, maxPages)
    }

    package var first: PageRequest { .parameters([]) }

    package func extent(of page: CollectionPage) throws(PaginationError) -> CollectionExtent {
        CollectionExtent(total: try total?.count(in: page))
    }

    /// Follows the link. An invalid header is an error: it may contain the next page.
    package func next(after page: CollectionPage, _ progress: CollectionProgress) throws(PaginationError)
        -> PageRequest?
    {
        for header in page.headers.all where header.name.lowercased() == "link" {
            guard let links = LinkHeader(header.value) else {
                throw .unreadable(.header("Link"), expected: "links", found: "something else", page: page.number)
            }
            if let target = links.next { return .link(target) }
        }
        return nil
    }
}

/// The links in one `Link` header, by RFC 8288.
struct LinkHeader {
    /// The target of the first link with the relation `next` that belongs to the resource of the response; often relative.
    private(set) var next: String?

    /// Parses a header's value; nil if it is not a list of links.
    init?(_ text: String) {
        var reader = LinkHeaderReader(text)
        while !reader.isAtEnd {
            if reader.skip(",") { continue }
            guard let target = reader.target(), let parameters = reader.parameters() else { return nil }
            guard reader.isAtEnd || reader.skip(",") else { return nil }
            if next == nil, Self.isNext(parameters) { next = target }
        }
    }

    /// Only the first of several `rel` parameters counts; an anchor names another resource.
    private static func isNext(_ parameters: [(name: String, value: String)]) -> Bool {
        let relations = parameters.first { $0.name == "rel" }?.value.lowercased() ?? ""
        return relations.split(whereSeparator: \.isWhitespace).contains("next")
            && !parameters.contains { $0.name == "anchor" }
    }
}

/// One pass over the value of a `Link` header.
private struct LinkHeaderReader {
    private var rest: Substring

    init(_ text: String) {
        rest = text[...]
    }

    /// Whether only blanks are left.
    var isAtEnd: Bool { rest.allSatisfy(\.isWhitespace) }

    /// Consumes a character and the blanks before it, if it comes next.
    mutating func skip(_ character: Character) -> Bool {
        rest = rest.drop(while: \.isWhitespace)
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    /// Consumes a target in angle brackets, which may contain commas and semicolons.
    mutating func target() -> String? {
        guard skip("<"), let end = rest.firstIndex(of: ">") else { return nil }
        defer { rest = rest[rest.index(after: end)...] }
        return String(rest[..<end])
    }

    /// Consumes the parameters of a link, with names in lower case; a missing value is empty.
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
