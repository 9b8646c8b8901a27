internal import Concurrency
internal import Hashing
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Networking
@testable internal import Upstreams

/// Validators that cannot be sent back, or that an upstream cannot take back.
@Suite(.timeLimit(.minutes(1)))
struct HTTPValidatorTests {
    @Test(arguments: ["\"a\u{1}b\"", "\"a\u{7F}b\"", "\"a\u{1B}[31m\""])
    func `a validator with control characters is not kept, and refreshes go on without`(tag: String) async throws {
        try await withClient(against: answering { $0.respond(headers: "ETag: \(tag)\r\n", body: makeBody()) }) {
            client, upstream async throws in
            let provider = makeHTTPProvider(client, url: upstream.url)
            for _ in 0..<3 { _ = try await provider.ask() }
            #expect(upstream.requestHeads.count == 3)
            #expect(!upstream.requestHeads.contains { $0.lowercased().contains("if-none-match") })
        }
    }

    @Test func `a validator that the upstream cannot take back costs one refresh at a time`() async throws {
        let script: @Sendable (UpstreamConnection) -> Void = { connection in
            while let head = connection.readRequest() {
                guard !head.contains("If-None-Match") else { return connection.resetAtEnd() }
                connection.respond(headers: "ETag: \"v1\"\r\n", body: makeBody())
            }
        }
        try await withClient(against: script) { client, upstream async throws in
            let provider = makeHTTPProvider(client, url: upstream.url)
            for isGood in [true, false, true, false, true] {
                #expect((try await provider.failure() == nil) == isGood)
            }
        }
    }

    @Test func `an upstream that was not reached costs no validator`() async throws {
        let source = TaggedSource()
        let provider = HTTPProductsProvider(source: source)
        _ = try await provider.ask()
        source.isAway.withLock { $0 = true }
        #expect(try await provider.failure() != nil)
        source.isAway.withLock { $0 = false }
        _ = try await provider.ask()
        #expect(source.tags.withLock { $0 } == [nil, "\"v1\"", "\"v1\""])
    }
}

/// A source with a validator, which can be away.
private final class TaggedSource: CollectionDataSource {
    let collection = CollectionResource(
        template: ResolvedRequestTemplate(BaseURL(baseURL: "http://shop.example")), limits: wide)
    /// The validators that it was asked with.
    let tags = Shared<[String?]>([])
    let isAway = Shared(false)

    func read(
        unless entityTag: String?, adding headers: [HTTPHeader], wallClock: WallClock
    ) throws -> CollectionReading {
        tags.withLock { $0.append(entityTag) }
        if isAway.withLock({ $0 }) {
            throw HTTPClientError.refused(HTTPClientFailure(url: "http://shop.example", detail: ""))
        }
        var reading = CollectionReading(HTTPHeaders([]), requestedAt: wallClock.now())
        guard entityTag == nil else { return reading }
        let body = makeBody()
        reading.content = CollectionContent(
            body: .document(body), digest: ContentDigest(of: body), entityTag: "\"v1\"")
        return reading
    }
}
