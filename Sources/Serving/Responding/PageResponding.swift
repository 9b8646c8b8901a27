internal import HTTPServer
package import OpenAPI
internal import Querying

/// Trait of handlers that respond with a page, or a part of one, and link to others (RFC 8288).
package protocol PageResponding: ProblemResponding {
    /// The path of all pages.
    static var path: String { get }
}

extension PageResponding {
    /// Makes a page of the request's query.
    /// - Throws: `StaleCursor` or `ProductsQueryProblem` in place of a `PageCursorProblem` from `make`.
    func page<Page>(of request: HTTPRequest, _ make: () async throws -> Page) async throws -> Page {
        do {
            return try await make()
        } catch PageCursorProblem.ofAnotherRevision {
            throw StaleCursor(firstPage: try PageLinks(request, path: Self.path).first)
        } catch let problem as PageCursorProblem {
            throw ProductsQueryProblem.cursor(problem)
        }
    }

    /// Adds the link to the next page, if there is one.
    func link(_ request: HTTPRequest, to next: String?, in head: inout HTTPHeaderBlock) throws {
        guard let next else { return }
        try head.append("Link", try PageLinks(request, path: Self.path).next(next))
    }

    package var replaced: ResponseDescription {
        .problem(
            410, "The cursor belongs to a catalogue that has been replaced; `Link` leads to the first page.",
            fields: [.link] + varyingFields)
    }
}

/// Links (RFC 8288) to other pages of a query, as values of a `Link` header.
struct PageLinks: Sendable {
    private let path: String
    /// The parameters of the query without the cursor.
    private let items: [HTTPQueryItem]

    init(_ request: HTTPRequest, path: String) throws(HTTPRequestError) {
        self.path = path
        items = try request.queryItems.filter { $0.name != ProductsQueryParameter.cursor.rawValue }
    }

    var first: String { link(to: items, relation: "first") }

    func next(_ cursor: String) -> String {
        link(
            to: items + [HTTPQueryItem(name: ProductsQueryParameter.cursor.rawValue, value: cursor)], relation: "next")
    }

    private func link(to items: [HTTPQueryItem], relation: String) -> String {
        let query = items.map(\.encoded).joined(separator: "&")
        return "<\(path)\(query.isEmpty ? "" : "?\(query)")>; rel=\"\(relation)\""
    }
}

/// A cursor of a replaced catalogue. The client has to start over.
struct StaleCursor: HTTPResponseError {
    /// The value of a `Link` header to the first page.
    let firstPage: String

    /// 410, because no later request for that page can succeed.
    var response: HTTPResponse {
        let problem = ProductsQueryProblem.cursor(.ofAnotherRevision)
        let gone = ProblemDetails(status: .gone, detail: "\(problem)", parameter: problem.parameter)
        var headers = HTTPHeaderBlock()
        do { try headers.append("Link", firstPage) } catch { return HTTPResponse(for: error) }
        return gone.response(headers: headers)
    }
}
