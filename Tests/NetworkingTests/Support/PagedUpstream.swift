internal import JSON
internal import TestSupport

@testable internal import Networking

/// One answer of an upstream with pages.
struct PageAnswer: Sendable {
    var status = "200 OK"
    var headers = ""
    var body = "[]"

    /// A page with items of these ids, at the top level.
    static func items(_ ids: Range<Int>, headers: String = "") -> PageAnswer {
        PageAnswer(headers: headers, body: list(ids))
    }

    /// Items of these ids as JSON.
    static func list(_ ids: some Sequence<Int>) -> String {
        "[" + ids.map { #"{"id":\#($0),"at":"2026-01-01T00:00:00+0\#($0)"}"# }.joined(separator: ",") + "]"
    }
}

/// Answers each request by its target, which is its path and query.
@Sendable func paged(_ answer: @escaping @Sendable (String) -> PageAnswer) -> @Sendable (UpstreamConnection) -> Void {
    { connection in
        while let head = connection.readRequest() {
            let found = answer(String(head.split(separator: " ")[1]))
            connection.respond(status: found.status, headers: found.headers, body: found.body)
        }
    }
}

/// A request's whole number in a query, if it has one of this name.
func number(_ name: String, in target: String) -> Int? {
    let query = target.split(separator: "?").dropFirst().joined().split(separator: "&")
    return query.first { $0.hasPrefix("\(name)=") }.flatMap { Int($0.dropFirst(name.count + 1)) }
}

/// A collection with its fetcher.
struct FetchedCollection: Sendable {
    let resource: CollectionResource
    let fetcher: HTTPCollectionFetcher

    func fetch(adding headers: [HTTPHeader] = []) async throws -> HTTPClientResponse {
        try await fetcher.fetch(resource.request(adding: headers))
    }

    func pages(_ pagination: any Pagination) -> PaginatedCollection {
        PaginatedCollection(resource, fetcher: fetcher, pagination: pagination)
    }
}

/// The collection `/products` of an upstream.
func makeCollection(
    _ session: any HTTPSession, _ url: String, authentication: (any Authentication)? = nil, itemsPath: JSONPath = .root,
    limits: HTTPClientLimits = wide, parameters: [QueryParameter] = [], headers: [HTTPHeader] = [],
    redirectOrigins: [String] = []
) -> FetchedCollection {
    let template = ResolvedRequestTemplateTests.PartialTemplate(
        baseURL: url, path: "products", parameters: parameters, headers: headers, redirectOrigins: redirectOrigins)
    let authenticated = authentication.map { AuthenticatedHTTPSession(session, authentication: $0) }
    return FetchedCollection(
        resource: CollectionResource(
            template: ResolvedRequestTemplate(template), itemsPaths: [itemsPath], limits: limits),
        fetcher: HTTPCollectionFetcher(session: authenticated ?? session))
}

extension PaginatedCollection {
    /// The ids on all pages.
    mutating func readAll() async throws -> [Int] {
        var ids: [Int] = []
        while let page = try await fetchNext() {
            ids += page.items.compactMap { $0.object?["id"]?.number?.integer }
        }
        return ids
    }
}

extension ScriptedUpstream {
    /// The targets of all requests so far.
    var targets: [String] { requestHeads.map { String($0.split(separator: " ")[1]) } }
}

/// A key path that is known to be one.
func path(_ text: String) -> JSONPath { JSONPath(text) ?? .root }
