internal import Configuration

@testable internal import Networking

/// The problems of a config with monitors and an upstream's request, each as it is printed.
func problems(_ yaml: String) -> [String] {
    do {
        let check = try makeCheck(yaml)
        if check.root.has("request") { _ = ConfiguredRequestTemplate(check.root.object("request")) }
        return try check.finish().filter { $0.severity == .error }.map(\.description)
    } catch {
        return error.diagnostics.filter { $0.severity == .error }.map(\.description)
    }
}

/// The monitor with the label `m`, and the assembly it was made in.
func makeMonitor(
    _ yaml: String, resources: ComponentResources
) throws -> (monitor: any ReachabilityMonitor, assembly: Assembly) {
    let check = try makeCheck(
        "use: m\nmonitors:\n  m: \(yaml)\n",
        sections: [.required("use", .component(MonitorFamily.self), "The monitor under test.")])
    let plan = check.root.component("use", MonitorFamily.self)
    _ = try check.finish()
    let assembly = Assembly(resources: resources)
    return (try plan.instantiate(in: assembly), assembly)
}

/// The template of a `request:` mapping.
func makeTemplate(_ yaml: String) throws -> ConfiguredRequestTemplate {
    let check = try makeCheck("request: \(yaml)\n")
    let template = ConfiguredRequestTemplate(check.root.object("request"))
    _ = try check.finish()
    return template
}

private func makeCheck(_ yaml: String, sections: [FieldSpec] = []) throws(ConfigurationError) -> ConfigurationCheck {
    var registry = ComponentRegistry()
    registry.register(MonitorFamily.self, MonitorFamily.specs)
    return ConfigurationCheck(
        document: try ConfigDocument.parse(yaml, file: "f", environment: [:]), registry: registry,
        sections: [
            .optional("request", .object(ConfiguredRequestTemplate.fields), "The request under test.")
        ] + sections)
}
