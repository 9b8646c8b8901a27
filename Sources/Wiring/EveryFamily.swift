package import Configuration

extension ComponentRegistry {
    /// Every component that a config file can name.
    package static var everyFamily: ComponentRegistry {
        var registry = ComponentRegistry()
        registry.register(StoreFamily.self, StoreFamily.specs)
        registry.register(SinkFamily.self, SinkFamily.specs)
        registry.register(MonitorFamily.self, MonitorFamily.specs)
        registry.register(PaginationFamily.self, PaginationFamily.specs)
        registry.register(AuthFamily.self, AuthFamily.specs)
        registry.register(ProviderFamily.self, ProviderFamily.specs)
        return registry
    }
}
