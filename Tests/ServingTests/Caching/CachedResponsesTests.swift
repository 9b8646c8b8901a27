import Concurrency
import FoundationEssentials
import HTTPServer
import Products
import Querying
import Testing
import TestSupport

@testable import Serving

@Suite struct CachedResponsesTests {
    private final class Maker: Sendable {
        private let count = Mutex(0)

        var made: Int { count.withLock { $0 } }

        func page(bytes: Int = 10) -> CachedResponse {
            count.withLock { $0 += 1 }
            let body = HTTPBody(bytes: [UInt8](repeating: 0x20, count: bytes))
            return CachedResponse(Representation(body: body, entityTag: "\"1\""))
        }
    }

    private let maker = Maker()

    private func ask(_ cache: CachedResponses, limit: Int, bytes: Int = 10) async throws -> CachedResponse {
        try await cache.response(to: .page(ProductsQuery(limit: limit)), .identity) { [maker] in
            maker.page(bytes: bytes)
        }
    }

    @Test func `concurrent equal queries are answered once`() async throws {
        let cache = CachedResponses(byteLimit: 1 << 20)
        let pages = try await withThrowingTaskGroup { group in
            for _ in 0..<256 { group.addTask { try await ask(cache, limit: 1) } }
            return try await group.reduce(into: [CachedResponse]()) { $0.append($1) }
        }
        #expect(pages.count == 256)
        #expect(Set(pages.map(ObjectIdentifier.init)).count == 1)
        #expect(maker.made == 1)
    }

    @Test func `the least recently used entry goes first`() async throws {
        let cache = CachedResponses(capacity: 2, byteLimit: 1 << 20)
        let one = try await ask(cache, limit: 1)
        let two = try await ask(cache, limit: 2)
        #expect(try await ask(cache, limit: 1) === one)
        _ = try await ask(cache, limit: 3)
        #expect(maker.made == 3)
        #expect(try await ask(cache, limit: 1) === one)
        #expect(try await ask(cache, limit: 2) !== two)
        #expect(maker.made == 4)
    }

    @Test func `entries go until the bytes fit`() async throws {
        let own = ProductsQuery().approximateSize
        let cache = CachedResponses(byteLimit: 3 * own + 1000)
        for limit in 1...3 { _ = try await ask(cache, limit: limit, bytes: 300) }
        _ = try await ask(cache, limit: 4, bytes: 1000)
        #expect(maker.made == 4)
        for limit in [3, 2, 1] { _ = try await ask(cache, limit: limit, bytes: 300) }
        #expect(maker.made == 7)
        _ = try await ask(cache, limit: 3)
        #expect(maker.made == 7)
    }

    @Test func `an entry larger than the cache is not kept and displaces nothing`() async throws {
        let cache = CachedResponses(byteLimit: ProductsQuery().approximateSize + 100)
        let kept = try await ask(cache, limit: 1, bytes: 100)
        #expect(try await ask(cache, limit: 2, bytes: 101).representation.body.count == 101)
        #expect(try await ask(cache, limit: 1) === kept)
        _ = try await ask(cache, limit: 2, bytes: 101)
        #expect(maker.made == 3)
    }

    @Test func `a long query counts like a long response`() async throws {
        let cache = CachedResponses(byteLimit: 10_000)
        let ids = Set((0..<1000).map { ExactText("\($0)") })
        for _ in 0..<2 {
            _ = try await cache.response(to: .page(ProductsQuery(ids: ids)), .identity) { [maker] in maker.page() }
        }
        #expect(maker.made == 2)
    }

    @Test func `codings are separate entries`() async throws {
        let own = ProductsQuery().approximateSize
        let cache = CachedResponses(byteLimit: 2 * own + 600)
        let key = CacheKey.page(ProductsQuery(limit: 1))
        let plain = try await ask(cache, limit: 1, bytes: 300)
        let zipped = try await cache.response(to: key, .gzip) { [maker] in maker.page(bytes: 300) }
        #expect(zipped !== plain)
        #expect(try await ask(cache, limit: 1) === plain)
        let again = try await cache.response(to: key, .gzip) { [maker] in maker.page() }
        #expect(again === zipped)
        #expect(maker.made == 2)
        _ = try await ask(cache, limit: 2, bytes: 1)
        #expect(try await ask(cache, limit: 1, bytes: 300) !== plain)
    }

    @Test func `a failure reaches every waiter and is not kept`() async throws {
        let cache = CachedResponses(byteLimit: 1 << 20)
        await #expect(throws: PageCursorProblem.ofAnotherRevision) {
            try await cache.response(to: .page(ProductsQuery()), .identity) {
                throw PageCursorProblem.ofAnotherRevision
            }
        }
        let page = try await cache.response(to: .page(ProductsQuery()), .identity) { [maker] in maker.page() }
        #expect(page.representation.body.count == 10)
    }
}

@Suite struct HeaderCacheTests {
    private let memo = HeaderCache()
    private let made = Shared(0)

    private func ask(
        second: Int = 1, modified: Int = 1, fetchedAt: Double, _ form: ResponseForm = .whole(.identity)
    ) throws -> String? {
        let key = HeaderCache.Key(
            form: form, second: second, modified: modified, fetchedAt: Date(timeIntervalSince1970: fetchedAt),
            checkedAt: Date(timeIntervalSince1970: fetchedAt), freshness: nil)
        return try memo.head(for: key) {
            made.withLock { $0 += 1 }
            var head = HTTPHeaderBlock()
            try head.append("X-Of", "\(second) \(Int(fetchedAt))")
            return head
        }.first("X-Of")
    }

    @Test func `alternating variants have one head each within a second`() throws {
        for _ in 0..<10 {
            for fetchedAt in 0..<3 { #expect(try ask(fetchedAt: Double(fetchedAt)) == "1 \(fetchedAt)") }
        }
        #expect(made.withLock { $0 } == 3)
    }

    @Test func `a 304 and each coding have a head of their own`() throws {
        for _ in 0..<3 {
            for form in [ResponseForm.whole(.identity), .whole(.gzip), .notModified] { _ = try ask(fetchedAt: 1, form) }
        }
        #expect(made.withLock { $0 } == 3)
    }

    @Test func `every head is made anew in the next second`() throws {
        for second in [1, 2, 2, 3] { #expect(try ask(second: second, fetchedAt: 7) == "\(second) 7") }
        #expect(made.withLock { $0 } == 3)
    }

    @Test func `the oldest of many heads is made again`() throws {
        for fetchedAt in 0..<100 { _ = try ask(fetchedAt: Double(fetchedAt)) }
        _ = try ask(fetchedAt: 99)
        #expect(made.withLock { $0 } == 100)
        _ = try ask(fetchedAt: 0)
        #expect(made.withLock { $0 } == 101)
    }
}
