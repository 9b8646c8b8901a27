internal import Concurrency
internal import FoundationEssentials
internal import Products
internal import ProvidersTestSupport
internal import TestSupport

@testable internal import Providers

/// A `validated` over an upstream that the test scripts, with its clocks and its log held.
struct GateFixture {
    static let prices = ChangeBounds(prices: ChangeBounds.Prices(factor: makeFactor("3"), share: 0.3))

    let upstream = ScriptedProvider()
    let wall = ManualWallClock()
    let clock = ManualClock()
    let log = LogRecorder()
    let baseline: CatalogueBaseline
    let provider: ValidatedProductsProviderDecorator

    init(
        _ rules: CatalogueRules, store: (any ProductsProvider)? = nil, division: VariantKey = VariantKey(),
        following previous: GateFixture? = nil
    ) {
        baseline = CatalogueBaseline(
            store: store, division: division, keepsContent: rules.comparesContent, uptime: Uptime(of: clock),
            following: previous?.baseline)
        provider = ValidatedProductsProviderDecorator(
            upstream: upstream, rules: rules, baseline: baseline, wallClock: wall.wallClock, logger: log.logger)
    }

    /// A shop whose first products, so many, cost ten times as much.
    static func shop(raised: Int = 0, count: Int = 20, name: String = "Mug") throws -> Catalogue {
        try Catalogue(
            products: (0..<count).map { makeProduct(id: "p\($0)", name: name, amount: $0 < raised ? 120 : 12) })
    }

    /// Asks with this catalogue at the upstream.
    /// - Returns: the token of the failure; nil when it passes.
    func token(
        of catalogue: Catalogue, _ request: ProductsRequest = ProductsRequest(), _ trail: [TrailStep] = []
    ) async throws -> String? {
        let snapshot = ProductsSnapshot(catalogue: catalogue, fetchedAt: wall.now, origin: .network)
        upstream.does { ProductsAnswer(snapshot: snapshot, trail: trail) }
        do {
            _ = try await provider.products(for: request)
            return nil
        } catch let failure as ProductsFailure {
            return failure.token
        }
    }

    /// Lets time go by on both clocks.
    func pass(_ duration: Duration) {
        clock.advance(by: duration)
        wall.advance(by: duration)
    }
}

/// The factor of this text.
func makeFactor(_ text: String) -> PriceFactor {
    guard let factor = PriceFactor(text) else { fatalError("\(text) is no factor") }
    return factor
}
