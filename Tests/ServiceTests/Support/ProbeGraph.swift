import Configuration
import Logging
import Products
import Providers
import ServingTestSupport
import TestSupport

@testable import Service
import TestSupport
internal import Wiring

/// A graph of nodes that have two hooks each, which log their closing.
enum ProbeGraph {
    static func make(_ log: LogRecorder) throws -> ServingGraph {
        var resources = ComponentResources()
        resources.set(CatalogueSignal())
        return try ServingGraph(try configuration(log), resources: resources)
    }

    static func configuration(
        _ log: LogRecorder, _ yaml: String = "serve: { type: probe }",
        closing: @escaping @Sendable () async -> Void = {}
    ) throws(ConfigurationError) -> LoadedConfiguration {
        try LoadedConfiguration.checked(yaml, adding: [spec(log, closing)])
    }

    struct Broken: Error {}

    private static func spec(
        _ log: LogRecorder, _ closing: @escaping @Sendable () async -> Void
    ) -> ComponentSpec<ProviderFamily> {
        ComponentSpec<ProviderFamily>(
            type: "probe", summary: "has two things to close",
            fields: [
                .defaulted("breaks", .boolean, "false", "whether it cannot be made"),
                .optional("upstream", .component(ProviderFamily.self), "what is made before it"),
            ],
            example: "{ type: probe }",
            plan: { reader in
                let breaks = reader.boolean("breaks")
                let upstream = reader.optionalComponent("upstream", ProviderFamily.self)
                return { assembly in
                    _ = try upstream?.instantiate(in: assembly)
                    if breaks { throw Broken() }
                    assembly.onShutdown("first") { log.logger.info("made first") }
                    assembly.onShutdown("last") {
                        log.logger.info("made last")
                        await closing()
                    }
                    return ScriptedProvider(.failure(ProductsFailure.notStored))
                }
            })
    }
}
