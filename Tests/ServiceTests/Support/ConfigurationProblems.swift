import Configuration

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
