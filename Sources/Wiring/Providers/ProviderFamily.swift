package import Configuration
package import Products
internal import Providers

/// The family of the `providers:` section: the nodes of the graph.
package enum ProviderFamily: ComponentFamily {
    /// A provider.
    package typealias Instance = any ProductsProvider
    /// `provider`.
    package static let noun = "provider"
    /// `providers`.
    package static let section = "providers"

    /// All providers of the config file: sources, strategies, decorators.
    package static let specs: [ComponentSpec<ProviderFamily>] = [
        HTTPProductsProvider.spec,
        StoredProductsProvider.spec,
        FileProductsProvider.spec,
        ReachabilityProductsProviderStrategy.spec,
        FallbackProductsProviderStrategy.spec,
        ABTestProductsProviderStrategy.spec,
        AudienceProductsProviderStrategy.spec,
        MergeProductsProviderStrategy.spec,
        MemoryProductsProviderDecorator.spec,
        CachingProductsProviderDecorator.spec,
        AnalyticsProductsProviderDecorator.spec,
        ValidatedProductsProviderDecorator.spec,
        RetryProductsProviderDecorator.spec,
        TimeoutProductsProviderDecorator.spec,
        CircuitBreakerProductsProviderDecorator.spec,
        ConcurrencyLimitProductsProviderDecorator.spec,
        FaultProductsProvider.spec,
    ]

    /// Wraps the provider if the assembly has a `GraphObservation`.
    package static func adopt(_ instance: any ProductsProvider, as outline: ComponentOutline, in assembly: Assembly)
        -> any ProductsProvider
    {
        assembly.optionalResource(GraphObservation.self)?.observed(
            instance, id: outline.id, type: outline.type, holding: assembly.optionalResource(GraphLease.self))
            ?? instance
    }
}
