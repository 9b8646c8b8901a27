import Configuration
import ServingTestSupport
internal import Wiring

@testable import Service

/// The problems of a config, each as it is printed.
func problems(_ yaml: String, environment: [String: String] = [:]) -> [String] {
    do throws(ConfigurationError) {
        let document = try ConfigDocument.parse(yaml, file: "c.yaml", environment: environment)
        return try LoadedConfiguration.check(document).warnings.map(\.description)
    } catch {
        return error.diagnostics.map(\.description)
    }
}

/// A config that is good apart from what is put before its graph.
func makeConfiguration(_ sections: String) -> String {
    sections + "\nserve: a\nproviders:\n  a: { type: http, request: { base_url: \"http://shop.example\" } }\n"
}

extension ScriptedProvider {
    /// The type by which a config names this provider.
    func spec(_ type: String) -> ComponentSpec<ProviderFamily> {
        ComponentSpec<ProviderFamily>(
            type: type, summary: "a scripted upstream", fields: [], example: "{ type: \(type) }"
        ) { _ in { _ in self } }
    }
}

extension LoadedConfiguration {
    /// A config in which provider types of a test stand beside the service's own.
    static func checked(
        _ yaml: String, adding specs: [ComponentSpec<ProviderFamily>]
    ) throws(ConfigurationError) -> LoadedConfiguration {
        try checked(yaml) { $0.register(ProviderFamily.self, specs) }
    }

    /// A config in which component types of a test stand beside the service's own.
    static func checked(
        _ yaml: String, adding add: (inout ComponentRegistry) -> Void
    ) throws(ConfigurationError) -> LoadedConfiguration {
        var registry = ComponentRegistry.everyFamily
        add(&registry)
        return try LoadedConfiguration.check(
            try ConfigDocument.parse(yaml, file: "test.yaml", environment: [:]), registry: registry)
    }
}
