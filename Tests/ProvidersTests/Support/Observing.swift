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

extension StateReporting {
    /// The state in one line: `in_flight 3, waiting 0`.
    var shown: String {
        report.entries.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    }
}
