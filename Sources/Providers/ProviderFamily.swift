public import Configuration
public import Products

/// The family of the `providers:` section: the nodes of the graph.
public enum ProviderFamily: ComponentFamily {
    /// A provider.
    public typealias Instance = any ProductsProvider
    /// `provider`.
    public static let noun = "provider"
    /// `providers`.
    public static let section = "providers"

    /// All providers of the config file: sources, strategies, decorators.
    public static let specs: [ComponentSpec<ProviderFamily>] = [
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
    public static func adopt(_ instance: any ProductsProvider, as outline: ComponentOutline, in assembly: Assembly)
        -> any ProductsProvider
    {
        let tenancy = assembly.optionalResource(GraphLease.self)
        return assembly.optionalResource(GraphObservation.self)?.observed(instance, as: outline, holding: tenancy)
            ?? instance
    }
}
