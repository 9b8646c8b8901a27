internal import Configuration

@testable internal import Wiring

/// A check of a config, which is called `f`.
func makeCheck(
    _ yaml: String, sections: [FieldSpec] = [], environment: [String: String] = [:]
) throws(ConfigurationError) -> ConfigurationCheck {
    ConfigurationCheck(
        document: try ConfigDocument.parse(yaml, file: "f", environment: environment), registry: .everyFamily,
        sections: sections)
}

/// The problems that a check finds when a config is read, each as it is printed.
func problems(
    _ yaml: String, sections: [FieldSpec] = [], environment: [String: String] = [:],
    reading: (FieldReader) -> Void = { _ in }
) -> [String] {
    do {
        let check = try makeCheck(yaml, sections: sections, environment: environment)
        reading(check.root)
        return try check.finish().map(\.description)
    } catch {
        return error.diagnostics.map(\.description)
    }
}
