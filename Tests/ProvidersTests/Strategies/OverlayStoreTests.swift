internal import FoundationEssentials
internal import Health
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// Entries of an `overlay` from before a restart.
@Suite(.timeLimit(.minutes(1)))
struct OverlayStoreTests {
    private static let first: [OverlayStaleness: String] = [
        .serve: "p0 98 3", .mark: "p0 98 3 price,stock", .hide: "p0 20 -",
    ]

    @Test(arguments: OverlayStaleness.allCases)
    func `stored entries are stale while their source fails, however young they are`(whenStale: OverlayStaleness)
        async throws
    {
        let fixture = OverlayFixture(whenStale: whenStale, keepsEntries: true)
        fixture.worksBelow()
        fixture.gives(fixture.store, amount: 98)
        fixture.stock.fails(OverlayFixture.down)
        for _ in 0..<2 {
            let answer = try await fixture.overlay.ask()
            #expect(OverlayFixture.told(answer).first == Self.first[whenStale])
            #expect(answer.steps.last == "overlay: stale")
            #expect(answer.freshness?.membersFreshUntil == fixture.wall.now - 1)
        }
        #expect(fixture.overlay.shown.hasPrefix("members stale, age_seconds 0, products 3, revision "))
        #expect(fixture.log.count(of: "notice: upstream recovered") == 0)
        fixture.worksBeside()
        fixture.pass(.seconds(2))
        for _ in 0..<2 {
            _ = try await fixture.told()
            await fixture.log.wait(for: "notice: upstream recovered")
        }
        #expect(try await fixture.told().first == "p0 99 3")
        #expect(fixture.overlay.shown.hasPrefix("members fresh, "))
    }

    @Test(arguments: OverlayStaleness.allCases)
    func `stored entries are stale while their source hangs`(whenStale: OverlayStaleness) async throws {
        let fixture = OverlayFixture(whenStale: whenStale, keepsEntries: true)
        fixture.worksBelow()
        fixture.gives(fixture.store, amount: 98)
        fixture.stock.hold()
        async let first = fixture.told()
        await fixture.clock.waitForSleepers()
        fixture.pass(.seconds(1))
        #expect(try await first.first == Self.first[whenStale])
        #expect(try await fixture.told().first == Self.first[whenStale])
        fixture.worksBeside()
        fixture.stock.release()
        try await eventually { try await fixture.told().first == "p0 99 3" }
    }

    @Test func `entries of the source are saved, and those of the store are not`() async throws {
        let fixture = OverlayFixture(whenStale: .mark, keepsEntries: true)
        fixture.worksBelow()
        fixture.worksBeside()
        _ = try await fixture.told()
        #expect(fixture.store.calls == 0)
        let saved = try #require(fixture.store.saved.first)
        #expect(saved.catalogue.count == 3)
        fixture.store.gives(saved.from(.store))
        fixture.stock.fails(OverlayFixture.down)
        fixture.pass(.seconds(4))
        _ = try await fixture.told()
        await fixture.log.wait(lines: 2)
        #expect(try await fixture.told().first == "p0 99 3")
        #expect(fixture.overlay.shown.hasPrefix("members fresh, "))
        fixture.pass(.seconds(2))
        #expect(try await fixture.told().first == "p0 99 3 price,stock")
        #expect(fixture.store.saved.count == 1)
    }

    @Test func `without stored entries the catalogue is served as before the first ones`() async throws {
        let fixture = OverlayFixture(whenStale: .mark, keepsEntries: true)
        fixture.worksBelow()
        fixture.stock.fails(OverlayFixture.down)
        #expect(try await fixture.told().first == "p0 20 7")
        #expect(fixture.overlay.report.entries.first == LiveStateEntry("members", "unseen"))
    }

    @Test(arguments: ProductsOrigin.allCases)
    func `entries in place of those of a source that fails are fresh only from another upstream`(
        origin: ProductsOrigin
    ) async throws {
        let fixture = OverlayFixture(whenStale: .mark)
        fixture.worksBelow()
        let (first, other) = (ScriptedProvider(), ScriptedProvider())
        first.fails(OverlayFixture.down)
        fixture.gives(other, amount: 98, from: origin)
        let substituted = FallbackProductsProviderStrategy(primary: first, secondary: other)
        let answer = try await substituted.ask()
        fixture.stock.does { answer }
        #expect(try await fixture.told().first == (origin == .network ? "p0 98 3" : "p0 98 3 price,stock"))
        #expect(fixture.overlay.shown.hasPrefix("members \(origin == .network ? "fresh" : "stale"), "))
    }
}
