internal import Products
internal import TestSupport

@testable internal import Providers

/// The provider, watched under this id.
func observed(
    _ provider: some ProductsProvider, _ id: String, isRoot: Bool = true, traces: RecentTraces = RecentTraces()
) -> any ProductsProvider {
    ObservedProductsProvider(
        upstream: provider, node: NodeObservation(id: id, type: "any"), isRoot: isRoot, traces: traces,
        wallClock: ManualWallClock().wallClock)
}
