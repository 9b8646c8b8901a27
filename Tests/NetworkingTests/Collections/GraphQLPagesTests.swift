import JSON
import TestSupport
import Testing

@testable import Networking

/// Pages of a query that a POST sends, each by a cursor among its variables.
struct GraphQLPagesTests {
    /// Answers each request with the page of its cursor, and keeps the requests.
    private final class Shop: CollectionFetcher {
        private let pages: [String: String]
        let requests = Shared<[HTTPClientRequest]>([])

        init(_ pages: [String: String]) { self.pages = pages }

        func fetch(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
            requests.withLock { $0.append(request) }
            let body = try JSONParser().parse(request.body)
            let cursor = body[try #require(JSONPath("variables.after"))]?.plainText ?? ""
            return HTTPClientResponse(status: 200, body: Array((pages[cursor] ?? "{}").utf8))
        }
    }

    private static let query = "query($after: String) { products(first: 2, after: $after) { id } }"

    private func page(_ ids: [Int], _ cursor: String?, more: Bool) -> String {
        let items = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        let end = cursor.map { "\"\($0)\"" } ?? "null"
        return #"{"data":{"p":{"nodes":[\#(items)],"info":{"end":\#(end),"more":\#(more)}}}}"#
    }

    private func collection(_ shop: Shop, more: Bool = true) throws -> PaginatedCollection {
        var template = ResolvedRequestTemplateTests.PartialTemplate()
        (template.method, template.path) = (.post, "/graphql")
        template.body = ["query": .string(Self.query), "variables": .object(["lang": "en", "after": .null])]
        let path = { (text: String) throws in try #require(JSONPath(text)) }
        let resource = CollectionResource(
            template: ResolvedRequestTemplate(template), itemsPaths: [try path("data.p.nodes")],
            limits: HTTPClientLimits())
        let pagination = CursorPagination(
            parameter: nil, variable: "after", next: .path(try path("data.p.info.end")),
            more: more ? .path(try path("data.p.info.more")) : nil)
        return PaginatedCollection(resource, fetcher: shop, pagination: pagination)
    }

    private func ids(_ shop: Shop, more: Bool = true) async throws -> [String] {
        var (collection, ids) = (try collection(shop, more: more), [String]())
        while let page = try await collection.fetchNext() { ids += page.items.compactMap { $0.object?["id"]?.string } }
        return ids
    }

    @Test func `the cursor goes into the variables, and all else stays as the config has it`() async throws {
        let shop = Shop(["": page([1, 2], "a", more: true), "a": page([3], "b", more: false)])
        #expect(try await ids(shop) == ["1", "2", "3"])
        let requests = shop.requests.withLock { $0 }
        #expect(requests.map(\.method) == ["POST", "POST"])
        #expect(requests.map(\.url) == ["http://shop.example/graphql", "http://shop.example/graphql"])
        #expect(
            requests.allSatisfy { $0.headers.contains { $0.name == "Content-Type" && $0.value == "application/json" } })
        let query = JSONValue.string(Self.query)
        #expect(
            requests.map { String(decoding: $0.body, as: UTF8.self) } == [
                #"{"query":\#(query),"variables":{"lang":"en","after":null}}"#,
                #"{"query":\#(query),"variables":{"lang":"en","after":"a"}}"#,
            ])
    }

    @Test func `without a word about more pages, the last has no cursor`() async throws {
        let shop = Shop(["": page([1, 2], "a", more: true), "a": page([3], nil, more: true)])
        #expect(try await ids(shop, more: false) == ["1", "2", "3"])
    }

    @Test func `a cursor that leads back is an error, and so is a page that does not say whether it is the last`() async
    {
        let loop = Shop(["": page([1], "a", more: true), "a": page([2], "a", more: true)])
        await #expect(throws: PaginationError.loop(to: 2, page: 2)) { try await ids(loop) }
        let cut = Shop(["": page([1], nil, more: true)])
        await #expect(throws: PaginationError.self) { try await ids(cut) }
        let silent = Shop(["": #"{"data":{"p":{"nodes":[{"id":"1"}],"info":{"end":"a"}}}}"#])
        await #expect(throws: PaginationError.self) { try await ids(silent) }
    }

    @Test func `errors in a 200 are a failure with their messages`() async {
        let shop = Shop(["": #"{"data":{"p":null},"errors":[{"message":"Throttled"},{"message":"no field x"}]}"#])
        await #expect(throws: PaginationError.query(errors: "\"Throttled; no field x\"", page: 1)) {
            try await ids(shop)
        }
        let text = Shop(["": #"{"data":{"p":{"nodes":[],"info":{"end":null,"more":false}}},"errors":"a\nb"}"#])
        await #expect(throws: PaginationError.query(errors: #""a\nb""#, page: 1)) { try await ids(text) }
        let none = Shop(["": #"{"errors":[],"data":{"p":{"nodes":[],"info":{"end":null,"more":false}}}}"#])
        await #expect(throws: Never.self) { try await ids(none) }
    }
}
