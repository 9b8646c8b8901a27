internal import Analytics
internal import Configuration
internal import FoundationEssentials
internal import Networking
internal import TestSupport
internal import Wiring

func makeEvent(_ name: String) -> AnalyticsEvent {
    AnalyticsEvent(.init(name: name), at: ManualWallClock().now)
}

func makeEvents(_ names: Range<Int>) -> [AnalyticsEvent] {
    names.map { makeEvent("\($0)") }
}

/// The sink that a text of YAML describes, and the assembly it was made in.
func makeSink(
    _ yaml: String, others: String = "", resources: ComponentResources, replacing previous: Assembly? = nil
) throws -> (sink: any AnalyticsSink, assembly: Assembly) {
    let (check, plan) = try planSink(yaml, others: others)
    _ = try check.finish()
    let assembly = Assembly(resources: resources, replacing: previous)
    return (try plan.instantiate(in: assembly), assembly)
}

/// The problems of a sink's config, each as it is printed. The file is called `f`.
func problems(withSink yaml: String, others: String = "") throws -> [String] {
    let (check, _) = try planSink(yaml, others: others)
    do {
        return try check.finish().map(\.description)
    } catch {
        return error.diagnostics.map(\.description)
    }
}

private func planSink(_ yaml: String, others: String) throws -> (ConfigurationCheck, ComponentPlan<SinkFamily>) {
    let check = try makeCheck(
        "use: s\nanalytics:\n  s: \(yaml)\n\(others)",
        sections: [.required("use", .component(SinkFamily.self), "The sink under test.")],
        environment: ["LARDER_API_SECRET": "hush"])
    return (check, check.root.component("use", SinkFamily.self))
}

/// The counts of all sinks with a queue, in the order in which they were made.
func statistics(of assembly: Assembly) -> [AnalyticsStatistics] {
    assembly.components(of: SinkFamily.self).compactMap { ($0.instance as? QueuedAnalyticsSink)?.statistics }
}

/// Runs a test with the resources of sinks.
func withResources(
    _ log: LogRecorder, _ environment: AnalyticsEnvironment? = nil, _ body: (ComponentResources) async throws -> Void
) async throws {
    try await withClient { client in
        var resources = ComponentResources()
        resources.set(log.logger)
        resources.set(client)
        if let environment { resources.set(environment) }
        try await body(resources)
    }
}
