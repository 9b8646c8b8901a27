package import Logging
package import Products

/// Shares one refresh of its upstream, and what it brings, with all replicas of a fleet.
package final class SharedCachingProductsProviderDecorator: ProductsProvider {
    /// - Parameter catalogue: from ``RedisProductsStore/catalogue(fingerprint:judge:)``.
    package init(
        name: String = "caching", upstream: any ProductsProvider, catalogue: FleetCatalogue, logger: Logger? = nil
    ) {
        fatalError()
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        throw ProductsFailure.notStored
    }

    /// Takes part in the fleet until it is cancelled: the background job of the component.
    package func run() async {}
}
