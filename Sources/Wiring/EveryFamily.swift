package import Configuration
internal import Providers
internal import Upstreams

extension ComponentRegistry {
    /// Every component that a config file can name.
    package static var everyFamily: ComponentRegistry {
        var registry = ComponentRegistry()
        registry.register(StoreFamily.self, StoreFamily.specs)
        registry.register(SinkFamily.self, SinkFamily.specs)
        registry.register(MonitorFamily.self, MonitorFamily.specs)
        registry.register(PaginationFamily.self, PaginationFamily.specs)
        registry.register(AuthFamily.self, AuthFamily.specs)
        registry.register(ProviderFamily.self, ProviderFamily.specs + [ShopGraph.spec])
        return registry
    }
}

extension ProviderFamily {
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
        OverlayProductsProviderStrategy.spec,
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
}
