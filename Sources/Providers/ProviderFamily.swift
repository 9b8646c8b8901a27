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

    /// Every provider a config file can name: sources, strategies, decorators.
    public static let specs: [ComponentSpec<ProviderFamily>] = [
        HTTPProductsProvider.spec,
        StoredProductsProvider.spec,
        FileProductsProvider.spec,
        ReachabilityProductsProviderStrategy.spec,
        FallbackProductsProviderStrategy.spec,
        MergeProductsProviderStrategy.spec,
        MemoryProductsProviderDecorator.spec,
        CachingProductsProviderDecorator.spec,
        AnalyticsProductsProviderDecorator.spec,
        ValidatedProductsProviderDecorator.spec,
    ]
}
