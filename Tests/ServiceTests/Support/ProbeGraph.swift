import Configuration
import Logging
import Products
import Providers

@testable import Service

/// A graph of one node that has two things to close, and tells the log when they are.
enum ProbeGraph {
    static func make(_ log: LogRecorder) throws -> ServingGraph {
        var registry = ComponentRegistry()
        registry.register(ProviderFamily.self, [spec(log)])
        let document = try ConfigDocument.parse("serve: { type: probe }", file: "c.yaml", environment: [:])
        let check = ConfigurationCheck(document: document, registry: registry, sections: ServiceConfiguration.fields)
        let service = ServiceConfiguration(check.root)
        let root = check.root.component("serve", ProviderFamily.self)
        let configuration = LoadedConfiguration(service: service, root: root, warnings: try check.finish())
        return try ServingGraph(configuration, resources: ComponentResources())
    }

    private static func spec(_ log: LogRecorder) -> ComponentSpec<ProviderFamily> {
        ComponentSpec<ProviderFamily>(
            type: "probe", summary: "has two things to close", fields: [], example: "{ type: probe }",
            plan: { _ in
                { assembly in
                    assembly.onShutdown("first") { log.logger.info("made first") }
                    assembly.onShutdown("last") { log.logger.info("made last") }
                    return ScriptedProvider(.failure(ProductsFailure.notStored))
                }
            })
    }
}
