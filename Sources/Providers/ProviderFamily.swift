public import Configuration
public import Products

/// The `providers:` section: the nodes of the graph.
public enum ProviderFamily: ComponentFamily {
    /// A provider.
    public typealias Instance = any ProductsProvider
    /// `provider`.
    public static let noun = "provider"
    /// `providers`.
    public static let section = "providers"
    /// Providers are made anew around what is taken over; those with a state ask for it.
    public static let isTakenOver = false

    /// Every provider a config file can name: sources, strategies, decorators.
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

    /// Watched, where the assembly has a `GraphObservation`; else used as it was made.
    public static func adopt(_ instance: any ProductsProvider, as outline: ComponentOutline, in assembly: Assembly)
        -> any ProductsProvider
    {
        let tenancy = assembly.optionalResource(GraphTenancy.self)
        return assembly.optionalResource(GraphObservation.self)?.observed(instance, as: outline, holding: tenancy)
            ?? instance
    }
}
