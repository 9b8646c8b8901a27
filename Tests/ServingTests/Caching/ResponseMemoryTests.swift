import FoundationEssentials
import HTTPServer
import Products
import Querying
import ServingTestSupport
import Testing
import TestSupport

@testable import Serving

@Suite struct ResponseMemoryTests {
    @Test func `bytes count while their claim is held, up to the limit`() throws {
        let memory = ResponseMemory()
        var first: ResponseMemory.Claim? = try memory.claim(60, upTo: 100)
        let second = try memory.claim(40, upTo: 100)
        #expect(throws: ResponseMemoryExhausted.self) { try memory.claim(1, upTo: 100) }
        #expect(memory.count == 100)
        withExtendedLifetime(first) {}
        first = nil
        #expect(memory.count == 40)
        _ = try memory.claim(60, upTo: 100)
        #expect(memory.count == 40)
        withExtendedLifetime(second) {}
    }

    @Test func `a response counts until its body is released, and a shared body counts once`() async throws {
        let budget = ResponseMemoryBudget(memory: ResponseMemory(), limit: 100)
        let known = CachedResponse(Representation(body: HTTPBody(text: "shared")))
        #expect(try await budget.response(besides: known) { known } === known)
        #expect(budget.memory.count == 0)
        var body: HTTPBody? = try await budget.response { answer(of: 70) }.representation.body
        #expect(budget.memory.count == 70)
        await #expect(throws: ResponseMemoryExhausted.self) { try await budget.response { answer(of: 31) } }
        var part = body?.slice(0..<1)
        body = nil
        #expect(part?.count == 1)
        #expect(budget.memory.count == 70)
        part = nil
        #expect(budget.memory.count == 0)
        #expect(try await budget.response { answer(of: 100) }.representation.body.count == 100)
    }

    @Test func `nothing is made without room`() async throws {
        let budget = ResponseMemoryBudget(memory: ResponseMemory(), limit: 10)
        let held = try await budget.response { answer(of: 10) }
        await #expect(throws: ResponseMemoryExhausted.self) {
            try await budget.response {
                Issue.record("made in vain")
                return answer(of: 1)
            }
        }
        #expect(held.representation.body.count == 10)
    }

    @Test func `responses that clients hold are refused beyond the limit until released`() async throws {
        let memory = ResponseMemory(allowance: 0)
        let listing = EncodedListing(
            makeListing(try makeCatalogue((0..<400).map { "Mug \($0) \(String(repeating: "x", count: 200))" })),
            memory: memory)
        let size = listing.plain.whole.representation.body.count
        var held: [HTTPBody] = []
        await #expect(throws: ResponseMemoryExhausted.self) {
            for number in 0..<100 { held.append(try await self.answer(of: listing, number).representation.body) }
        }
        #expect(held.count >= 8)
        #expect(memory.count >= held.count * size)
        #expect(memory.count <= (1 << 20) + 2 * (1 << 18) + 8 * size)
        #expect(listing.response(to: Self.query(held.count - 1), .identity).ready != nil)
        _ = try await listing.response(to: nil, .gzip).value
        held = []
        #expect(memory.count <= 1 << 20)
        #expect(try await answer(of: listing, 100).representation.body.count == size)
    }

    @Test func `slow readers are cut once for all concurrent requests`() async throws {
        let held = Shared<[CachedResponse]>([])
        let slowReaders = SlowReaders()
        let budget = ResponseMemoryBudget(memory: ResponseMemory(slowReaders: slowReaders), limit: 160)
        for _ in 0..<16 {
            let answer = try await budget.response { self.answer(of: 10) }
            held.withLock { $0.append(answer) }
        }
        await #expect(throws: ResponseMemoryExhausted.self) { try await budget.response { self.answer(of: 10) } }
        await slowReaders.cut { wanted in
            held.withLock { held in
                let count = min(held.count, (wanted + 9) / 10)
                held.removeFirst(count)
                return 10 * count
            }
        }
        let kept = try await withThrowingTaskGroup { group in
            for _ in 0..<2 { group.addTask { try await budget.response { self.answer(of: 10) } } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(kept.count == 2)
        #expect((12...14).contains(held.withLock(\.count)))
        await #expect(throws: ResponseMemoryExhausted.self) { try await budget.response { self.answer(of: 150) } }
        #expect(held.withLock(\.isEmpty))
        #expect(budget.memory.count == 20)
    }

    @Test func `slow readers of replaced catalogues are reset while they keep much, the oldest first`() async throws {
        final class Presence: Sendable {}
        let clock = ManualClock()
        let slowReaders = SlowReaders()
        let memory = ResponseMemory(slowReaders: slowReaders, clock: clock)
        let size = ResponseMemory.replacedLimit * 5 / 8
        var presences: [Presence?] = (0..<3).map { _ in Presence() }
        let held = Shared(
            presences.compactMap { presence -> HTTPBody? in
                let body = HTTPBody(bytes: [UInt8](repeating: 0x20, count: size))
                return presence.map { body.counted(by: memory.shared(body, as: $0)) }
            })
        let places = held.withLock { $0.map(\.place) }
        let asked = Shared<[HTTPBodyPlace]>([])
        let gone = Shared<Set<HTTPBodyPlace>>([])
        await slowReaders.cut { place in
            asked.withLock { $0.append(place) }
            if gone.withLock({ $0.contains(place) }) { held.withLock { $0.removeAll { $0.place == place } } }
        } by: { _ in
            0
        }
        presences[0] = nil
        memory.giveBack()
        #expect(memory.sharedCount == 3 * size)
        presences[1] = nil
        memory.giveBack()
        await clock.waitForSleepers()
        #expect(asked.withLock { $0 } == [places[0], places[1]])
        memory.giveBack()
        gone.withLock { $0 = [places[0]] }
        clock.advance(by: ResponseMemory.pause)
        try await eventually { memory.sharedCount == 2 * size }
        #expect(asked.withLock { $0 } == [places[0], places[1], places[0]])
        presences[2] = nil
        gone.withLock { $0 = Set(places) }
        // The search before may still be about to end.
        try await eventually {
            clock.advance(by: ResponseMemory.pause)
            memory.giveBack()
            return memory.sharedCount == size
        }
        #expect(asked.withLock { $0 }.last == places[1])
    }

    private func answer(of count: Int) -> CachedResponse {
        CachedResponse(Representation(body: HTTPBody(bytes: [UInt8](repeating: 0x20, count: count))))
    }

    private func answer(of listing: EncodedListing, _ number: Int) async throws -> CachedResponse {
        try await listing.response(to: Self.query(number), .identity).value
    }

    /// All products in the order of their names, which is not theirs; another query for each number.
    private static func query(_ number: Int) -> ProductsQuery {
        ProductsQuery(minPrice: 0, sort: [ProductsSortKey(.name, isDescending: true)], limit: 1000 + number)
    }
}
