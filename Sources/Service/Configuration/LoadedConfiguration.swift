internal import Analytics
public import Configuration
internal import Networking
internal import Persistence
public import Providers

/// A config file that was read and checked whole: what it says, and the plan of its graph. Nothing is open yet.
public struct LoadedConfiguration: Sendable {
    /// Everything beside the graph.
    public let service: ServiceConfiguration
    /// The graph's root, not yet made.
    public let root: ComponentPlan<ProviderFamily>
    /// What is allowed but looks wrong.
    public let warnings: [Diagnostic]

    /// Every component a config file can name.
    public static var registry: ComponentRegistry {
        var registry = ComponentRegistry()
        registry.register(StoreFamily.self, StoreFamily.specs)
        registry.register(SinkFamily.self, SinkFamily.specs)
        registry.register(MonitorFamily.self, MonitorFamily.specs)
        registry.register(PaginationFamily.self, PaginationFamily.specs)
        registry.register(AuthFamily.self, AuthFamily.specs)
        registry.register(ProviderFamily.self, ProviderFamily.specs)
        return registry
    }

    /// Reads and checks a config file.
    ///
    /// - Parameter label: of the provider that is served; the one that the file names unless given.
    /// - Throws: `ConfigurationError` with every problem there is, in the order of their positions.
    public static func load(
        path: String, environment: [String: String], serving label: String? = nil
    ) throws(ConfigurationError) -> LoadedConfiguration {
        let document = try ConfigDocument.read(path: path, environment: environment)
        return try check(label.map { document.replacing("serve", with: $0) } ?? document)
    }

    /// Checks a document that was read already.
    public static func check(_ document: ConfigDocument) throws(ConfigurationError) -> LoadedConfiguration {
        let registry = registry
        let check = ConfigurationCheck(document: document, registry: registry, sections: ServiceConfiguration.fields)
        let service = ServiceConfiguration(check.root)
        let root = check.root.component("serve", ProviderFamily.self)
        for problem in Lints.problems(in: root.outline, registry: registry) {
            check.root.report(problem.severity, at: problem.position, problem.message)
        }
        let warnings = try check.finish()
        return LoadedConfiguration(service: service, root: root, warnings: warnings)
    }
}
