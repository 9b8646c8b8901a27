internal import Concurrency
internal import Decoding
internal import FoundationEssentials
internal import JSON
internal import Networking
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Upstreams

/// The data sources against a fetcher without a network.
struct CollectionDataSourceTests {
    @Test(arguments: [nil, "\"v1\""])
    func `a plain collection is unchanged by a 304 to its validator; any other is a failure`(entityTag: String?)
        async throws
    {
        let fetcher = ScriptedFetcher([HTTPClientResponse(status: 304)])
        let source = PlainCollectionDataSource(Self.books, fetcher: fetcher)
        if entityTag == nil {
            await #expect(throws: ProductsFailure.upstreamStatus(304, retryAfter: nil)) {
                try await source.read(unless: entityTag, adding: [], wallClock: .system)
            }
        } else {
            #expect(try await source.read(unless: entityTag, adding: [], wallClock: .system).content == nil)
        }
        let sent = try #require(fetcher.requests.first)
        #expect(sent.url == "http://shop.example/books?lang=en")
        #expect(sent.headers == (entityTag.map { [HTTPHeader("If-None-Match", $0)] } ?? []))
    }

    @Test func `a part of a list is a page, and no plain collection`() async throws {
        let part = HTTPClientResponse(
            status: 206, headers: HTTPHeaders([HTTPHeader("Content-Range", "items 0-0/1")]), body: Array("[1]".utf8))
        let failure = try await #require(throws: ProductsFailure.self) {
            try await PlainCollectionDataSource(Self.books, fetcher: ScriptedFetcher([part]))
                .read(unless: nil, adding: [], wallClock: .system)
        }
        #expect(failure.token == "status-206")
        #expect("\(failure)" == "upstream answered 206, a part of the list; \"pagination\" reads all parts")
        let paged = PaginatedCollectionDataSource(
            Self.books, fetcher: ScriptedFetcher([part]), pagination: LinkPagination(total: .header("Content-Range")))
        #expect(try await paged.read(unless: nil, adding: [], wallClock: .system).content?.items == ["1"])
    }

    @Test func `a failure names the page`() async throws {
        let pages = [(200, "[1]"), (500, "")].map { HTTPClientResponse(status: $0, body: Array($1.utf8)) }
        let source = PaginatedCollectionDataSource(
            Self.books, fetcher: ScriptedFetcher(pages), pagination: NumberedPagination())
        let failure = try await #require(throws: ProductsFailure.self) {
            try await source.read(unless: nil, adding: [], wallClock: .system)
        }
        let located = failure.from(provider: "shop", url: "http://shop.example/books")
        #expect("\(located)" == "page 2: 500 from http://shop.example/books (provider \"shop\")")
    }

    @Test func `the total of a header is kept with a plain collection`() async throws {
        let response = HTTPClientResponse(
            status: 200, headers: HTTPHeaders([HTTPHeader("X-Total-Count", "12")]), body: Array("[1]".utf8))
        let content = try await PlainCollectionDataSource(Self.books, fetcher: ScriptedFetcher([response]))
            .read(unless: nil, adding: [], wallClock: .system).content
        #expect(content?.total?.name == "X-Total-Count" && content?.total?.count == 12)
    }

    @Test func `a plain collection is one body, with its validator`() async throws {
        let body = Array(#"[{"id":"1"}]"#.utf8)
        let tagged = HTTPClientResponse(status: 200, headers: HTTPHeaders([HTTPHeader("etag", "\"v2\"")]), body: body)
        let fetcher = ScriptedFetcher([tagged])
        let content = try #require(
            try await PlainCollectionDataSource(Self.books, fetcher: fetcher)
                .read(unless: "\"v1\"", adding: [HTTPHeader("X-Request-Id", "mine")], wallClock: .system).content)
        #expect(content.document == body)
        #expect(content.entityTag == "\"v2\"")
        #expect(fetcher.requests.first?.headers.map(\.name) == ["If-None-Match", "X-Request-Id"])
    }

    @Test func `pages are one list without a validator, and none is sent`() async throws {
        let fetcher = ScriptedFetcher(
            ["[1,2]", "[3]", "[]"].map { HTTPClientResponse(status: 200, body: Array($0.utf8)) })
        let source = PaginatedCollectionDataSource(
            Self.books, fetcher: fetcher, pagination: NumberedPagination(parameter: "p"))
        let content = try #require(try await source.read(unless: "\"v1\"", adding: [], wallClock: .system).content)
        #expect(content.items == ["1", "2", "3"])
        #expect(content.entityTag == nil)
        #expect(fetcher.requests.map(\.url) == (1...3).map { "http://shop.example/books?lang=en&p=\($0)" })
        #expect(fetcher.requests.allSatisfy { $0.headers.isEmpty })
    }

    @Test func `each page is joined with the list beside its own items`() async throws {
        let decoder = try makeDecoder(
            "{ items: data, includes: [{ path: brands, of: brand, as: brand }], fields: { maker: brand.name } }")
        let collection = CollectionResource(
            template: ResolvedRequestTemplate(Books()), itemsPaths: decoder.itemsPaths,
            items: { decoder.items(in: $0) }, limits: HTTPClientLimits())
        let pages = [
            #"{"data":[{"id":1,"brand":7},{"id":2,"brand":8}],"brands":[{"id":7,"name":"Oak"}]}"#,
            #"{"data":[{"id":3,"brand":7}],"brands":[{"id":7,"name":"Elm"}]}"#, #"{"data":[]}"#,
        ]
        let source = PaginatedCollectionDataSource(
            collection, fetcher: ScriptedFetcher(pages.map { HTTPClientResponse(status: 200, body: Array($0.utf8)) }),
            pagination: NumberedPagination(parameter: "p"))
        let content = try await source.read(unless: nil, adding: [], wallClock: .system).content
        guard case .items(let items)? = content?.body else {
            Issue.record("no items")
            return
        }
        #expect(
            items.map { String(decoding: $0.encoded(), as: UTF8.self) } == [
                #"{"id":1,"brand":{"id":7,"name":"Oak"}}"#, #"{"id":2,"brand":8}"#,
                #"{"id":3,"brand":{"id":7,"name":"Elm"}}"#,
            ])
    }

    @Test func `over several pages the oldest and the stalest count`() async throws {
        let clock = ManualWallClock()
        let (first, second) = (("Age", "40"), ("Warning", "110 - \"Response is Stale\""))
        let fetcher = ScriptedFetcher(
            [("[1,2]", [first]), ("[3]", [("Age", "90"), second]), ("[]", [])].map { body, headers in
                HTTPClientResponse(
                    status: 200, headers: HTTPHeaders(headers.map { HTTPHeader($0.0, $0.1) }), body: Array(body.utf8))
            })
        let source = PaginatedCollectionDataSource(
            Self.books, fetcher: fetcher, pagination: NumberedPagination(parameter: "p"))
        let reading = try await source.read(unless: nil, adding: [], wallClock: WallClock { clock.now })
        #expect(reading.confirmedAt == clock.now - 90)
        #expect(reading.source == SourceStatement(.stale))
    }

    @Test func `a 304 says anew how old the content is`() async throws {
        let clock = ManualWallClock()
        let headers = [HTTPHeader("Age", "70"), HTTPHeader("Cache-Status", "cdn; hit; ttl=-9")]
        let fetcher = ScriptedFetcher([HTTPClientResponse(status: 304, headers: HTTPHeaders(headers))])
        let reading = try await PlainCollectionDataSource(Self.books, fetcher: fetcher)
            .read(unless: "\"v1\"", adding: [], wallClock: WallClock { clock.now })
        #expect(reading.content == nil && reading.confirmedAt == clock.now - 70)
        #expect(reading.source == SourceStatement(.stale, cacheStatus: "cdn; hit; ttl=-9"))
    }

    private struct Books: RequestTemplate {
        let baseURL = "http://shop.example"
        let method: RequestMethod? = nil
        let path: String? = "/books"
        let parameters: [QueryParameter]? = [QueryParameter("lang", "en")]
        let headers: [HTTPHeader]? = nil
        let redirectOrigins: [String]? = nil
        let body: JSONObject? = nil
    }

    private static let books = CollectionResource(
        template: ResolvedRequestTemplate(Books()), limits: HTTPClientLimits())
}

/// Answers each request with the next of some responses.
private final class ScriptedFetcher: CollectionFetcher {
    private let state: Shared<(left: [HTTPClientResponse], requests: [HTTPClientRequest])>

    init(_ responses: [HTTPClientResponse]) {
        state = Shared((responses, []))
    }

    var requests: [HTTPClientRequest] { state.withLock(\.requests) }

    func fetch(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        state.withLock { state in
            state.requests.append(request)
            return state.left.removeFirst()
        }
    }

}

extension CollectionContent {
    fileprivate var document: [UInt8]? {
        if case .document(let bytes) = body { bytes } else { nil }
    }

    /// Items that are numbers, as texts.
    fileprivate var items: [String?]? {
        if case .items(let items) = body { items.map { $0.number?.literal } } else { nil }
    }
}
