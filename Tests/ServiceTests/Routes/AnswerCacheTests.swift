import Concurrency
import HTTPServer
import Products
import Testing

@testable import Service

@Suite("The cache of answers about a revision")
struct AnswerCacheTests {
    private final class Maker: Sendable {
        private let count = Mutex(0)

        var made: Int { count.withLock { $0 } }

        func page(bytes: Int = 10) -> EncodedAnswer {
            count.withLock { $0 += 1 }
            let body = HTTPBody(bytes: [UInt8](repeating: 0x20, count: bytes))
            return EncodedAnswer(Representation(body: body, entityTag: "\"1\""))
        }
    }

    private let maker = Maker()

    private func ask(_ cache: AnswerCache, limit: Int, bytes: Int = 10) async throws -> EncodedAnswer {
        try await cache.answer(to: .page(ProductsQuery(limit: limit)), .identity) { [maker] in maker.page(bytes: bytes)
        }
    }

    @Test("However many ask one query at once, it is answered once")
    func once() async throws {
        let cache = AnswerCache(byteLimit: 1 << 20)
        let pages = try await withThrowingTaskGroup { group in
            for _ in 0..<256 { group.addTask { try await ask(cache, limit: 1) } }
            return try await group.reduce(into: [EncodedAnswer]()) { $0.append($1) }
        }
        #expect(pages.count == 256)
        #expect(Set(pages.map(ObjectIdentifier.init)).count == 1)
        #expect(maker.made == 1)
    }

    @Test("The least recently used goes first when there are too many")
    func capacity() async throws {
        let cache = AnswerCache(capacity: 2, byteLimit: 1 << 20)
        let one = try await ask(cache, limit: 1)
        let two = try await ask(cache, limit: 2)
        #expect(try await ask(cache, limit: 1) === one)
        _ = try await ask(cache, limit: 3)
        #expect(maker.made == 3)
        #expect(try await ask(cache, limit: 1) === one)
        #expect(try await ask(cache, limit: 2) !== two)
        #expect(maker.made == 4)
    }

    @Test("As many go as it takes to stay within the bytes")
    func bytes() async throws {
        let own = ProductsQuery().approximateSize
        let cache = AnswerCache(byteLimit: 3 * own + 1000)
        for limit in 1...3 { _ = try await ask(cache, limit: limit, bytes: 300) }
        _ = try await ask(cache, limit: 4, bytes: 1000)
        #expect(maker.made == 4)
        for limit in [3, 2, 1] { _ = try await ask(cache, limit: limit, bytes: 300) }
        #expect(maker.made == 7)
        _ = try await ask(cache, limit: 3)
        #expect(maker.made == 7)
    }

    @Test("An answer that alone is too large is not kept, and nothing goes for it")
    func tooLarge() async throws {
        let cache = AnswerCache(byteLimit: ProductsQuery().approximateSize + 100)
        let kept = try await ask(cache, limit: 1, bytes: 100)
        #expect(try await ask(cache, limit: 2, bytes: 101).representation.body.count == 101)
        #expect(try await ask(cache, limit: 1) === kept)
        _ = try await ask(cache, limit: 2, bytes: 101)
        #expect(maker.made == 3)
    }

    @Test("A long query counts like a long answer")
    func longQuery() async throws {
        let cache = AnswerCache(byteLimit: 10_000)
        let ids = Set((0..<1000).map { ExactText("\($0)") })
        for _ in 0..<2 {
            _ = try await cache.answer(to: .page(ProductsQuery(ids: ids)), .identity) { [maker] in maker.page() }
        }
        #expect(maker.made == 2)
    }

    @Test("The codings of one answer are kept apart, and each counts")
    func codings() async throws {
        let own = ProductsQuery().approximateSize
        let cache = AnswerCache(byteLimit: 2 * own + 600)
        let question = AnswerQuestion.page(ProductsQuery(limit: 1))
        let plain = try await ask(cache, limit: 1, bytes: 300)
        let zipped = try await cache.answer(to: question, .gzip) { [maker] in maker.page(bytes: 300) }
        #expect(zipped !== plain)
        #expect(try await ask(cache, limit: 1) === plain)
        let again = try await cache.answer(to: question, .gzip) { [maker] in maker.page() }
        #expect(again === zipped)
        #expect(maker.made == 2)
        _ = try await ask(cache, limit: 2, bytes: 1)
        #expect(try await ask(cache, limit: 1, bytes: 300) !== plain)
    }

    @Test("A failure is told to all who wait, and is not kept")
    func failure() async throws {
        let cache = AnswerCache(byteLimit: 1 << 20)
        await #expect(throws: PageCursorProblem.ofAnotherRevision) {
            try await cache.answer(to: .page(ProductsQuery()), .identity) { throw PageCursorProblem.ofAnotherRevision }
        }
        let page = try await cache.answer(to: .page(ProductsQuery()), .identity) { [maker] in maker.page() }
        #expect(page.representation.body.count == 10)
    }
}
