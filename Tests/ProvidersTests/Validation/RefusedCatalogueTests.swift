internal import Concurrency
internal import Networking
internal import Products
internal import TestSupport
internal import Testing

@testable internal import Providers

/// One thing wrong in ten thousand products, all the way from the socket to who asks.
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

    @Test(
        "the message names it exactly, and the old catalogue stays",
        arguments: [
            (
                [5000: Self.item(5000, "physicl")],
                "not a catalogue: [5000].type: unknown kind \"physicl\"; known are \"physical\", \"digital\", "
                    + "\"subscription\", \"bundle\", \"giftCard\""
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
    func refused(change: [Int: String], message: String) async throws {
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
