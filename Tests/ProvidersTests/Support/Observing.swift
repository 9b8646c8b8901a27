internal import Products
internal import TestSupport

@testable internal import Providers

/// The provider, watched under this id.
func observed(
    _ provider: some ProductsProvider, _ id: String, isRoot: Bool = true, ways: RecentWays = RecentWays()
) -> any ProductsProvider {
    ObservedProductsProvider(
        upstream: provider, node: NodeObservation(id: id, type: "any"), isRoot: isRoot, ways: ways,
        wallClock: ManualWallClock().wallClock)
}
