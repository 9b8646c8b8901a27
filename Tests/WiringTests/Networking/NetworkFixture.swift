internal import Configuration
internal import Logging
internal import TestSupport

@testable internal import Networking
@testable internal import Wiring

/// The errors of a config with components and an upstream's request, each as it is printed.
func networkProblems(_ yaml: String) -> [String] {
    problems(yaml, sections: [request], environment: variables) { root in
        if root.has("request") { _ = ConfiguredRequestTemplate(root.object("request")) }
    }.filter { $0.contains(": error: ") }
}

/// The monitor with the label `m`, and the assembly it was made in.
func makeMonitor(
    _ yaml: String, resources: ComponentResources
) throws -> (instance: any ReachabilityMonitor, assembly: Assembly) {
    try make(MonitorFamily.self, "use: m\nmonitors:\n  m: \(yaml)\n", resources)
}

/// The pagination that a text of YAML describes; nil for none.
func makePagination(_ yaml: String) throws -> (any Pagination)? {
    try make(PaginationFamily.self, "use: \(yaml)\n").instance.pagination
}

/// The authentication that a text of YAML describes.
func makeAuthentication(_ yaml: String, _ logger: Logger = LogRecorder().logger) throws -> any Authentication {
    var resources = ComponentResources()
    resources.set(logger)
    return try make(AuthFamily.self, "use: \(yaml)\n", resources).instance
}

private func make<Family: ComponentFamily>(
    _ family: Family.Type, _ yaml: String, _ resources: ComponentResources = ComponentResources()
) throws -> (instance: Family.Instance, assembly: Assembly) {
    let check = try makeCheck(
        yaml, sections: [.required("use", .component(family), "The component under test.")], environment: variables)
    let plan = check.root.component("use", family)
    _ = try check.finish()
    let assembly = Assembly(resources: resources)
    return (try plan.instantiate(in: assembly), assembly)
}

/// The template of a `request:` mapping.
func makeTemplate(_ yaml: String) throws -> ConfiguredRequestTemplate {
    let check = try makeCheck("request: \(yaml)\n", sections: [request], environment: variables)
    let template = ConfiguredRequestTemplate(check.root.object("request"))
    _ = try check.finish()
    return template
}

/// A variable with a secret, and an empty one.
private let variables = ["LARDER_TOKEN": "s3cret", "NOTHING": ""]

private let request = FieldSpec.optional(
    "request", .object(ConfiguredRequestTemplate.fields), "The request under test.")
