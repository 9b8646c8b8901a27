internal import Configuration
internal import EventLoop
internal import Logging
internal import TestSupport

@testable internal import Networking
@testable internal import Wiring

/// The problems of a config with components and an upstream's request, each as it is printed.
func networkProblems(_ yaml: String) -> [String] {
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
    let check = try makeCheck(yaml, sections: [.required("use", .component(family), "The component under test.")])
    let plan = check.root.component("use", family)
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

/// Runs a test with a client on a loop of its own, and shuts both down in the right order.
func withNetworkClient(_ body: (HTTPClient) async throws -> Void) async throws {
    let group = try EventLoopGroup(count: 1)
    let client = HTTPClient(loops: group.loops, userAgent: UserAgent(version: "1.2.3"))
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(client)) } catch { outcome = .failure(error) }
    await client.shutdown()
    await group.shutdown()
    try outcome.get()
}

/// The variables that the examples of the specs take their secrets from, and an empty one.
private let variables = ["LARDER_TOKEN": "s3cret", "LARDER_PASSWORD": "s3cret", "NOTHING": ""]

private func makeCheck(_ yaml: String, sections: [FieldSpec] = []) throws(ConfigurationError) -> ConfigurationCheck {
    var registry = ComponentRegistry()
    registry.register(MonitorFamily.self, MonitorFamily.specs)
    registry.register(PaginationFamily.self, PaginationFamily.specs)
    registry.register(AuthFamily.self, AuthFamily.specs)
    return ConfigurationCheck(
        document: try ConfigDocument.parse(yaml, file: "f", environment: variables), registry: registry,
        sections: [
            .optional("request", .object(ConfiguredRequestTemplate.fields), "The request under test.")
        ] + sections)
}
