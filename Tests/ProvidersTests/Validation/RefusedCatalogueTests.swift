internal import Concurrency
internal import Networking
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Providers

/// One faulty product among ten thousand, from the upstream's socket to the response.
@Suite(.timeLimit(.minutes(1)))
struct RefusedCatalogueTests {
    private static let count = 10_000

    private static func item(_ index: Int, _ type: String = "physical", id: Int? = nil, amount: String = "1.50")
        -> String
    {
        """
        {"type":"\(type)","id":"p\(id ?? index)","name":"Mug \(index)",\
        "price":{"amount":\(amount),"currency":"EUR"}}
        """
    }

    private static func body(_ change: [Int: String] = [:]) -> [UInt8] {
        let items = (0..<count).map { change[$0] ?? item($0) }
        return Array("[\(items.joined(separator: ","))]".utf8)
    }

    @Test(arguments: [
        (
            [5000: Self.item(5000, "physicl")],
            "not a catalogue: [5000].type: unknown kind \"physicl\"; known are \(knownKinds)"
        ),
        (
            [7312: #"{"type":"physical","id":"p7312","price":{"amount":1,"currency":"EUR"}}"#],
            "not a catalogue: [7312].name: missing"
        ),
        ([9999: Self.item(9999, id: 17)], "catalogue refused: products [17] and [9999] have one id, \"p17\""),
        (
            [1234: Self.item(1234, amount: "-0.01")],
            "catalogue refused: product [1234], id \"p1234\", has a negative price"
        ),
        (
            [
                4321: #"{"type":"giftCard","id":"g","name":"Gift","price":{"amount":1,"currency":"EUR"},"#
                    + #""denominations":[10,-5]}"#
            ], "catalogue refused: product [4321], id \"g\", has a negative denomination"
        ),
    ])
    func `the message names it exactly, and the old catalogue stays`(change: [Int: String], message: String)
        async throws
    {
        let body = Shared(Self.body())
        try await withClient(against: answering { $0.respond(body: body.withLock { $0 }) }) {
            client, upstream async throws in
            let limits = HTTPClientLimits(connectTimeout: .seconds(20), timeout: .seconds(20), body: 16 << 20)
            let (wall, clock) = (ManualWallClock(), ManualClock())
            let memory = MemoryProductsProviderDecorator(
                upstream: ValidatedProductsProviderDecorator(
                    upstream: makeHTTPProvider(
                        client, url: upstream.url, limits: limits, wallClock: wall.wallClock)),
                policy: MemoryFixture.policy, wallClock: wall.wallClock, clock: clock, logger: LogRecorder().logger)
            let whole = try await memory.ask()
            #expect(whole.snapshot.products.count == Self.count)
            body.withLock { $0 = Self.body(change) }
            clock.advance(by: .seconds(100))
            wall.advance(by: .seconds(100))
            let answer = try await memory.ask()
            #expect(answer.snapshot.catalogue === whole.snapshot.catalogue)
            #expect(answer.failure?.description.hasPrefix(message) == true)
        }
    }
}

/// The decisions about catalogues that another member of a fleet has fetched.
struct JudgedCatalogueTests {
    private let gate = GateFixture(CatalogueRules(limits: GateFixture.prices))
    private var judge: any CatalogueJudge { gate.provider }

    private func verdict(on catalogue: Catalogue, _ trail: [TrailStep] = []) async throws -> String? {
        let snapshot = ProductsSnapshot(catalogue: catalogue, fetchedAt: gate.wall.now, origin: .network)
        do {
            let answer = ProductsAnswer(snapshot: snapshot, trail: trail)
            return try await judge.judge(answer, for: ProductsRequest()).snapshot.revision
        } catch let failure as ProductsFailure {
            return failure.token
        }
    }

    @Test
    func `it is refused by the gate's rules, and what passes is the baseline, without a question to the upstream`()
        async throws
    {
        let (good, bad) = (try GateFixture.shop(), try GateFixture.shop(raised: 20))
        #expect(try await verdict(on: good) == good.revision)
        #expect(try await verdict(on: bad) == "price-change")
        #expect(gate.provider.quarantined?.catalogue === bad)
        #expect(gate.upstream.calls == 0)
        #expect(try await gate.token(of: bad) == "price-change")
    }

    @Test
    func `one that the fleet's operator accepted passes once, seen here before or not, and no other does`() async throws
    {
        let (good, bad) = (try GateFixture.shop(), try GateFixture.shop(raised: 20))
        _ = try await verdict(on: good)
        judge.expect(revision: bad.revision)
        #expect(try await verdict(on: try GateFixture.shop(raised: 19)) == "price-change")
        #expect(try await verdict(on: bad) == bad.revision)
        #expect(try await verdict(on: good) == "price-change")
        judge.expect(revision: good.revision)
        #expect(try await gate.token(of: good) == nil)
        #expect(try await gate.token(of: bad) == "price-change")
    }

    @Test func `two catalogues are compared by the gate's rules, whatever its baseline, and an expected one passes`()
        async throws
    {
        let (good, bad) = (try GateFixture.shop(), try GateFixture.shop(raised: 20))
        try await judge.compare(good, replacing: good)
        try await judge.compare(try GateFixture.shop(raised: 1), replacing: good)
        let failure = await #expect(throws: ProductsFailure.self) { try await judge.compare(bad, replacing: good) }
        #expect(failure?.token == "price-change")
        #expect(gate.provider.quarantined == nil, "nothing is decided about a catalogue of its own")
        judge.expect(revision: bad.revision)
        try await judge.compare(bad, replacing: good)
    }

    @Test func `only the revision that was expected last is let through`() async throws {
        let bad = (18...20).map { raised in Result { try GateFixture.shop(raised: raised) } }
        _ = try await verdict(on: try GateFixture.shop())
        for catalogue in bad { judge.expect(revision: try catalogue.get().revision) }
        #expect(try await verdict(on: try bad[0].get()) == "price-change")
        #expect(try await verdict(on: try bad[2].get()) == bad[2].get().revision)
    }
}
