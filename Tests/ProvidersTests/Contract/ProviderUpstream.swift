internal import Products
internal import TestSupport

/// A scripted provider as the upstream of a strategy or decorator.
struct ProviderUpstream: ContractUpstream {
    let provider: ScriptedProvider
    let wall: ManualWallClock

    func serve(_ products: [any Product]) throws {
        let catalogue = try Catalogue(products: products)
        provider.does { [wall] in
            ProductsAnswer(snapshot: ProductsSnapshot(catalogue: catalogue, fetchedAt: wall.now, origin: .network))
        }
    }

    func fail() {
        provider.fails(.upstreamStatus(503, retryAfter: nil))
    }

    func hang() {
        provider.hold()
    }

    func waitForCaller() async {
        await provider.wait(parked: 1)
    }

    func waitForCancellation() async {
        await provider.wait(cancellations: 1)
    }

    func stop() {
        provider.release()
    }
}
