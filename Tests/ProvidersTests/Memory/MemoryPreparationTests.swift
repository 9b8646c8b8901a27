internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct MemoryPreparationTests {
    private let fixture = MemoryFixture()
    private let preparing: HeldPreparation

    init() {
        preparing = HeldPreparation(fixture.signal)
    }

    /// Has a refresh that brings the other catalogue, while requests get the old one.
    private func refresh(after age: Duration) async throws {
        try await fixture.warm()
        fixture.works("Cup")
        fixture.pass(age)
        #expect(try await fixture.told() == "Mug stale")
        await preparing.wait(calls: 1)
    }

    @Test func `requests get the old catalogue at once until the new one is prepared`() async throws {
        try await refresh(after: .seconds(31))
        #expect(preparing.calls == ["Mug -> Cup"])
        for _ in 0..<100 { #expect(try await fixture.told() == "Mug stale") }
        #expect(fixture.upstream.calls == 2)
        preparing.release()
        await fixture.refreshes(2)
        #expect(try await fixture.told() == "Cup hit")
        await yieldUntil { fixture.clock.sleepers == 0 }
    }

    @Test(arguments: [(31, 5), (88, 2), (90, 0)])
    func `a slow preparation holds the catalogue back for five seconds, and never until requests would wait`(
        age: Int, limit: Int
    ) async throws {
        try await refresh(after: .seconds(age))
        if limit > 0 {
            await fixture.clock.waitForSleepers()
            fixture.pass(.milliseconds(limit * 1000 - 1))
            #expect(try await fixture.told() == "Mug stale")
            fixture.pass(.milliseconds(1))
        }
        await fixture.refreshes(2)
        #expect(try await fixture.told() == "Cup hit")
        preparing.release()
    }

    @Test
    func `a catalogue that requests wait for is not held back: the first one, or one after the old is too old`()
        async throws
    {
        try await fixture.warm()
        fixture.works("Cup")
        fixture.pass(.seconds(91))
        #expect(try await fixture.told() == "Cup stale")
        fixture.works("Jar")
        fixture.pass(.seconds(1000))
        #expect(try await fixture.told() == "Jar stale")
        #expect(preparing.calls == [])
    }

    @Test func `nothing is prepared where the catalogue stays: it is the same, or the upstream fails`() async throws {
        try await fixture.warm()
        fixture.pass(.seconds(31))
        #expect(try await fixture.told() == "Mug stale")
        await fixture.refreshes(2)
        fixture.upstream.fails(MemoryFixture.refused)
        fixture.pass(.seconds(31))
        #expect(try await fixture.told() == "Mug stale")
        await fixture.refreshes(3)
        #expect(preparing.calls == [])
    }

    @Test func `a catalogue that comes after an outage is prepared while the old one is served offline`() async throws {
        try await fixture.warm()
        fixture.upstream.fails(MemoryFixture.refused)
        fixture.pass(.seconds(31))
        #expect(try await fixture.told() == "Mug stale")
        await fixture.refreshes(2)
        fixture.works("Cup")
        fixture.pass(.seconds(10))
        #expect(try await fixture.told() == "Mug stale offline")
        await preparing.wait(calls: 1)
        #expect(try await fixture.told() == "Mug stale offline")
        preparing.release()
        await fixture.refreshes(3)
        #expect(try await fixture.told() == "Cup hit")
    }

    @Test func `a catalogue is not held back beyond the time for which the old one is served offline`() async throws {
        try await fixture.warm()
        fixture.upstream.fails(MemoryFixture.refused)
        fixture.pass(.seconds(618))
        #expect(try await fixture.told().hasSuffix("offline"))
        await fixture.refreshes(2)
        fixture.works("Cup")
        fixture.pass(.seconds(10))
        #expect(try await fixture.told() == "Mug stale offline")
        await preparing.wait(calls: 1)
        await fixture.clock.waitForSleepers()
        fixture.pass(.milliseconds(1999))
        #expect(try await fixture.told() == "Mug stale offline")
        fixture.pass(.milliseconds(1))
        await fixture.refreshes(3)
        #expect(try await fixture.told() == "Cup hit")
        preparing.release()
    }
}

/// Preparations that wait until the test releases them.
final class HeldPreparation: Sendable {
    private let state = Observed((calls: [String](), isReleased: false))

    init(_ signal: CatalogueSignal) {
        signal.subscribe(self) { preparation, next in
            let names = [next.replaced, next.answer.snapshot.revision].map { revision in
                ["Mug", "Cup", "Jar"].first { makeCatalogue($0).revision == revision } ?? "nothing"
            }
            preparation.state.update { $0.calls.append(names.joined(separator: " -> ")) }
            await preparation.state.wait { $0.isReleased }
            return []
        }
    }

    /// The replaced and the new catalogue of each call.
    var calls: [String] { state.value.calls }

    func wait(calls count: Int) async {
        await state.wait { $0.calls.count >= count }
    }

    func release() {
        state.update { $0.isReleased = true }
    }
}
