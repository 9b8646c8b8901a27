internal import FileSystem
internal import FoundationEssentials
internal import Health
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct OverlayProductsProviderStrategyTests {
    /// The states of both sources, and what is served.
    struct Case: Sendable, CustomTestStringConvertible {
        enum Base: CaseIterable { case fresh, stale, dead }
        enum Entries: CaseIterable { case fresh, stale, dead, unseen }

        let base: Base
        let entries: Entries
        let whenStale: OverlayStaleness

        static let all = Base.allCases.flatMap { base in
            Entries.allCases.flatMap { entries in
                OverlayStaleness.allCases.map { Case(base: base, entries: entries, whenStale: $0) }
            }
        }

        var testDescription: String { "catalogue \(base), entries \(entries), \(whenStale)" }

        var products: [String] {
            switch (entries, whenStale) {
            case (.fresh, _), (.stale, .serve), (.dead, .serve): ["p0 99 3", "p1 20 0", "p2 20 7"]
            case (.stale, .mark), (.dead, .mark): ["p0 99 3 price,stock", "p1 20 0 stock", "p2 20 7"]
            case (.stale, .hide), (.dead, .hide): ["p0 20 -", "p1 20 -", "p2 20 7"]
            case (.unseen, .serve), (.unseen, .mark): ["p0 20 7", "p1 20 7", "p2 20 7"]
            case (.unseen, .hide): ["p0 20 -", "p1 20 -", "p2 20 -"]
            }
        }

        var step: String {
            switch entries {
            case .fresh: "overlay: hit"
            case .stale, .dead: "overlay: stale"
            case .unseen: "overlay: skipped"
            }
        }
    }

    @Test(arguments: Case.all)
    func `no product is lost, whatever state the sources are in`(_ the: Case) async throws {
        let fixture = OverlayFixture(whenStale: the.whenStale)
        if the.base == .dead { fixture.base.fails(OverlayFixture.down) } else { fixture.worksBelow() }
        if the.entries == .unseen { fixture.stock.fails(OverlayFixture.down) } else { fixture.worksBeside() }
        _ = try? await fixture.overlay.ask()
        if the.base == .stale { fixture.base.fails(OverlayFixture.down) }
        if the.entries != .fresh { fixture.stock.fails(OverlayFixture.down) }
        fixture.pass(the.entries == .dead ? .seconds(500) : the.base == .stale ? .seconds(100) : .seconds(10))
        guard the.base != .dead else {
            #expect(try await fixture.overlay.failure()?.token == "unavailable")
            #expect(fixture.stock.calls == 0)
            return
        }
        let answer = try await fixture.overlay.ask()
        #expect(OverlayFixture.told(answer) == the.products)
        #expect(answer.steps.last == the.step)
        #expect(answer.freshness?.state(at: fixture.wall.now) == (the.base == .stale ? .offline : .fresh))
        #expect(answer.failure?.token == (the.base == .stale ? "status-503" : nil))
    }

    @Test
    func `a catalogue is composed again only when either source or the freshness of entries has changed`() async throws
    {
        let fixture = OverlayFixture(whenStale: .mark)
        fixture.worksBelow()
        fixture.worksBeside()
        let first = try await fixture.overlay.ask().snapshot.catalogue
        fixture.pass(.seconds(6))
        #expect(try await fixture.overlay.ask().snapshot.catalogue === first)
        fixture.pass(.seconds(100))
        #expect(try await fixture.overlay.ask().snapshot.catalogue === first)
        fixture.worksBeside(amount: 98)
        fixture.pass(.seconds(6))
        let second = try await fixture.overlay.ask().snapshot.catalogue
        #expect(second.revision != first.revision)
        fixture.stock.fails(OverlayFixture.down)
        fixture.pass(.seconds(6))
        let marked = try await fixture.overlay.ask().snapshot.catalogue
        #expect(![first.revision, second.revision].contains(marked.revision))
        #expect(try await fixture.overlay.ask().snapshot.catalogue === marked)
    }

    @Test func `a hundred requests at once share one question to each source, and one catalogue`() async throws {
        let fixture = OverlayFixture()
        fixture.worksBelow()
        fixture.worksBeside()
        let catalogues = try await withThrowingTaskGroup(of: Catalogue.self) { group in
            for _ in 0..<100 { group.addTask { try await fixture.overlay.ask().snapshot.catalogue } }
            return try await group.reduce(into: [] as Set<ObjectIdentifier>) { $0.insert(ObjectIdentifier($1)) }
        }
        #expect(catalogues.count == 1)
        #expect([fixture.base.calls, fixture.stock.calls] == [1, 1])
    }

    @Test func `entries are refreshed behind the answer from half of their time on, and so stay fresh`() async throws {
        let fixture = OverlayFixture(whenStale: .mark)
        fixture.worksBelow()
        fixture.worksBeside()
        _ = try await fixture.told()
        fixture.stock.hold()
        fixture.pass(.seconds(4))
        #expect(try await fixture.told().first == "p0 99 3")
        await fixture.stock.wait(parked: 1)
        fixture.worksBeside(amount: 98)
        fixture.stock.release()
        await fixture.log.wait(lines: 2)
        fixture.pass(.seconds(4))
        #expect(try await fixture.told().first == "p0 98 3")
    }

    @Test
    func `a request waits for a second at most where no entries are fresh, and those that follow do not wait`()
        async throws
    {
        let fixture = OverlayFixture(whenStale: .mark)
        fixture.worksBelow()
        fixture.worksBeside()
        _ = try await fixture.told()
        fixture.stock.hold()
        fixture.pass(.seconds(6))
        async let first = fixture.told()
        await fixture.clock.waitForSleepers()
        fixture.pass(.seconds(1))
        #expect(try await first.first == "p0 99 3 price,stock")
        #expect(try await fixture.told().first == "p0 99 3 price,stock")
        fixture.stock.release()
    }

    @Test
    func `where no entries were ever seen, requests wait once, and then only behind their answers`() async throws {
        let fixture = OverlayFixture()
        fixture.worksBelow()
        fixture.stock.hold()
        async let first = fixture.told()
        await fixture.clock.waitForSleepers()
        fixture.pass(.seconds(1))
        #expect(try await first.first == "p0 20 7")
        #expect(try await fixture.told().first == "p0 20 7")
        fixture.stock.fails(OverlayFixture.down)
        fixture.stock.release()
        await fixture.log.wait(for: "error: upstream fails, nothing to serve")
        fixture.pass(.seconds(2))
        fixture.stock.hold()
        #expect(try await fixture.told().first == "p0 20 7")
        await fixture.stock.wait(parked: 1)
        fixture.worksBeside()
        fixture.stock.release()
        await fixture.log.wait(for: "notice: upstream recovered")
        #expect(try await fixture.told().first == "p0 99 3")
    }

    @Test
    func `an answer states the freshness of both, and caches keep nothing that would be marked or hidden later`()
        async throws
    {
        for whenStale in OverlayStaleness.allCases {
            let fixture = OverlayFixture(whenStale: whenStale)
            fixture.worksBelow()
            fixture.worksBeside()
            let start = fixture.wall.now
            let fresh = try #require(try await fixture.overlay.ask().freshness)
            #expect([fresh.freshUntil, fresh.membersFreshUntil] == [start + 30, start + 5])
            #expect(fresh.servableUntil == start + 630)
            #expect(fresh.staleWhileRevalidate == (whenStale == .serve ? .seconds(60) : .zero))
            fixture.stock.fails(OverlayFixture.down)
            fixture.pass(.seconds(6))
            #expect(try await fixture.overlay.ask().freshness?.membersFreshUntil == start + 5)
        }
    }

    @Test(arguments: [0.0, 259_200], OverlayStaleness.allCases)
    func `entries that their source calls stale are stale from the start, and the source is a trouble`(
        age: Double, whenStale: OverlayStaleness
    ) async throws {
        let fixture = OverlayFixture(whenStale: whenStale)
        fixture.worksBelow()
        fixture.worksBeside(stating: SourceStatement(.stale, cacheStatus: "cdn; hit; ttl=-9"), age: age)
        let answer = try await fixture.overlay.ask()
        let place = OverlayStaleness.allCases.firstIndex(of: whenStale) ?? 0
        let first = ["p0 99 3", "p0 99 3 price,stock", "p0 20 -"][place]
        #expect(OverlayFixture.told(answer).first == first)
        #expect(answer.steps.last == "overlay: stale")
        let end = try #require(answer.freshness?.membersFreshUntil)
        #expect(end == fixture.wall.now - max(1, age - 5))
        #expect(fixture.overlay.shown.hasPrefix("members stale, "))
        let trouble = try #require(fixture.overlay.troubles.first)
        #expect(trouble.kind == .source && trouble.since == fixture.wall.now - age)
        fixture.worksBeside()
        fixture.pass(.seconds(6))
        #expect(try await fixture.told().first == "p0 99 3")
        #expect(fixture.overlay.troubles.isEmpty)
    }

    @Test func `entries that a source has kept and does not call stale are fresh for as long as others`() async throws {
        let fixture = OverlayFixture(whenStale: .hide)
        fixture.worksBelow()
        fixture.worksBeside(stating: SourceStatement(nil, cacheStatus: "cdn; hit; ttl=9"), age: 60)
        #expect(try await fixture.overlay.ask().freshness?.membersFreshUntil == fixture.wall.now + 5)
        #expect(fixture.overlay.troubles.isEmpty)
    }

    @Test func `each variant has entries of its own`() async throws {
        let fixture = OverlayFixture(variations: [AudienceRule(header: "x-tier", audiences: ["gold"]).variation])
        fixture.worksBelow()
        fixture.worksBeside()
        for tier in ["gold", "bronze", "gold"] {
            let answer = try await fixture.overlay.products(for: ProductsRequest(headers: ["x-tier": tier]))
            #expect(OverlayFixture.told(answer).first == "p0 99 3")
        }
        #expect(fixture.stock.requests.map(\.headers) == [["x-tier": "gold"], ["x-tier": "bronze"]])
    }

    @Test func `it reports whether its entries are fresh, how old they are, and why there are none`() async throws {
        let fixture = OverlayFixture()
        fixture.worksBelow()
        fixture.stock.fails(OverlayFixture.down)
        _ = try await fixture.told()
        #expect(fixture.overlay.report.entries.first == LiveStateEntry("members", "unseen"))
        #expect(fixture.overlay.report.memory?.troubles.map(\.failure) == [OverlayFixture.down])
        #expect(fixture.overlay.report.memory?.isServed == false)
        fixture.worksBeside()
        fixture.pass(.seconds(2))
        for _ in 0..<2 {
            _ = try await fixture.told()
            await fixture.log.wait(for: "notice: upstream recovered")
        }
        fixture.pass(.seconds(4))
        #expect(fixture.overlay.shown.hasPrefix("members fresh, age_seconds 4, products 3, revision "))
        fixture.pass(.seconds(2))
        #expect(fixture.overlay.shown.hasPrefix("members stale, age_seconds 6, products 3, revision "))
    }

    @Test func `a feed of ids and members is mapped to products of one kind, and may lack prices`() async throws {
        let directory = try TemporaryDirectory()
        try Files.create(directory("catalogue.json"), makeBody())
        let feed = #"[{"id":"p1","price":{"amount":"5.50","currency":"USD"},"stock":3},{"id":"p0","stock":0}]"#
        try Files.create(directory("stock.json"), Array(feed.utf8))
        let provider = try makeProvider(
            """
            { type: overlay, members: [price, stock], upstream: { type: file, path: \(directory("catalogue.json")) }, \
            overlay: { type: file, path: \(directory("stock.json")), decode: { type: physical, \
            constants: { name: "" }, fields: { price.amount: { path: price.amount, default: 0 }, \
            price.currency: { path: price.currency, default: XXX } } } } }
            """
        ).provider
        let answer = try await provider.ask()
        #expect(OverlayFixture.told(answer) == ["p0 19.9 0", "p1 5.5 3", "p2 19.9 -"])
        #expect(answer.snapshot.products.map(\.name) == ["Mug 0", "Mug 1", "Mug 2"])
    }
}
