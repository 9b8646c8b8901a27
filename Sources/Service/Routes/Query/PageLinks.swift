internal import HTTPServer
internal import Products

/// Links (RFC 8288) to other pages of a query, as values of a `Link` header.
struct PageLinks: Sendable {
    private let path: String
    /// The parameters of the query, but for that of the page.
    private let items: [HTTPQueryItem]

    /// The links between the pages that a request's query has at a path.
    init(_ request: HTTPRequest, path: String) throws(HTTPRequestError) {
        self.path = path
        items = try request.queryItems.filter { $0.name != ProductsQueryParameter.cursor.rawValue }
    }

    /// The link to the first page.
    var first: String { link(to: items, relation: "first") }

    /// The link to the page that begins at a cursor.
    func next(_ cursor: String) -> String {
        link(
            to: items + [HTTPQueryItem(name: ProductsQueryParameter.cursor.rawValue, value: cursor)], relation: "next")
    }

    private func link(to items: [HTTPQueryItem], relation: String) -> String {
        let query = items.map(\.encoded).joined(separator: "&")
        return "<\(path)\(query.isEmpty ? "" : "?\(query)")>; rel=\"\(relation)\""
    }
}
