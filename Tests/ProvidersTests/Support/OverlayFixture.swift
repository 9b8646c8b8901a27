internal import FoundationEssentials
internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import TestSupport

@testable internal import Providers

/// An `overlay` over a `memory`, with the sources of both scripted and all clocks held.
struct OverlayFixture: Sendable {
    static let down = ProductsFailure.upstreamStatus(503, retryAfter: nil)

    let base = ScriptedProvider()
    let stock = ScriptedProvider()
    /// The store for entries, where there is one.
    let store = ScriptedProvider()
    let wall = ManualWallClock()
    /// The clock of the overlay's own waits, apart from that of the `memory` below.
    let clock = ManualClock()
    private let clockBelow = ManualClock()
    /// The log of the overlay and its source.
    let log = LogRecorder()
    let overlay: OverlayProductsProviderStrategy

    /// - Parameter keepsEntries: whether entries are kept in the store.
    init(whenStale: OverlayStaleness = .serve, variations: [RequestVariation] = [], keepsEntries: Bool = false) {
        let signal = CatalogueSignal()
        let memory = MemoryProductsProviderDecorator(
            upstream: base, policy: MemoryFixture.policy, variations: variations, wallClock: wall.wallClock,
            clock: clockBelow, logger: LogRecorder().logger, signal: signal)
        let entries = MemoryProductsProviderDecorator(
            name: "overlay", upstream: keepsEntries ? stock.keepingEntries(in: store, by: store) : stock,
            policy: FreshnessPolicy(overlayTTL: .seconds(5)), variations: variations, wallClock: wall.wallClock,
            clock: clock, logger: log.logger, signal: signal)
        overlay = OverlayProductsProviderStrategy(
            upstream: observed(memory, "memory", isRoot: false), overlay: entries,
            store: keepsEntries ? store : nil, members: ["price", "stock"], whenStale: whenStale,
            variations: variations, wallClock: wall.wallClock, signal: signal, logger: log.logger)
    }

    /// Lets time go by on both clocks.
    func pass(_ duration: Duration) {
        clock.advance(by: duration)
        clockBelow.advance(by: duration)
        wall.advance(by: duration)
    }

    /// From now on the catalogue has three products with a price and a stock of their own.
    func worksBelow(_ name: String = "Mug") {
        base.works(Self.catalogue((0..<3).map { Self.product("p\($0)", name, amount: 20, stock: 7) }), wall)
    }

    /// From now on there are entries for the first product, for the second without a price, and for no product.
    ///
    /// - Parameters:
    ///   - statement: what the source, a cache, says of them.
    ///   - age: how many seconds ago they were confirmed.
    func worksBeside(amount: Decimal = 99, stating statement: SourceStatement? = nil, age: Double = 0) {
        let catalogue = Self.entries(amount)
        stock.does { [wall] in
            ProductsAnswer(
                snapshot: ProductsSnapshot(
                    catalogue: catalogue, fetchedAt: wall.now - age, checkedAt: wall.now, origin: .network,
                    source: statement))
        }
    }

    /// From now on such entries are in the store, or in another place, confirmed at the time of the call.
    func gives(_ place: ScriptedProvider, amount: Decimal, from origin: ProductsOrigin = .store) {
        place.gives(ProductsSnapshot(catalogue: Self.entries(amount), fetchedAt: wall.now, origin: origin))
    }

    private static func entries(_ amount: Decimal) -> Catalogue {
        catalogue([
            product("ghost", amount: 1, stock: 1), product("p1", amount: 0, currency: "XXX", stock: 0),
            product("p0", amount: amount, stock: 3),
        ])
    }

    /// What is served of each product: `p0 99 3 price,stock`.
    func told() async throws -> [String] { Self.told(try await overlay.ask()) }

    static func told(_ answer: ProductsAnswer) -> [String] {
        answer.snapshot.products.map { product in
            let marks = product.attributes["staleMembers"]?.array?.compactMap(\.string).joined(separator: ",")
            let stock = product.attributes["stock"].map { "\($0)" } ?? "-"
            return ([product.id, "\(product.price.amount)", stock] + [marks].compactMap(\.self)).joined(separator: " ")
        }
    }

    private static func product(
        _ id: String, _ name: String = "", amount: Decimal, currency: String = "EUR", stock: Int
    ) -> any Product {
        var product = makeProduct(id: id, name: name, amount: amount, currency: currency)
        product.details.attributes = ["stock": .number(JSONNumber(stock))]
        return product
    }

    private static func catalogue(_ products: [any Product]) -> Catalogue {
        do {
            return try Catalogue(products: products)
        } catch {
            fatalError("a fixture is no catalogue: \(error)")
        }
    }
}
