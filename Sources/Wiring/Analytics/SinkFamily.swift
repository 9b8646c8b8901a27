package import Analytics
package import Configuration
internal import Logging

/// The `analytics:` section: named destinations of events.
package enum SinkFamily: ComponentFamily {
    package typealias Instance = any AnalyticsSink
    package static let noun = "sink"
    package static let section = "analytics"

    package static let specs: [ComponentSpec<SinkFamily>] = [
        FileAnalyticsWriter.spec, LogAnalyticsWriter.spec, GoogleAnalyticsWriter.spec, TeeAnalyticsSink.spec,
    ]

    /// The time limit for a sink to write waiting events when the service stops.
    fileprivate static let closingDeadline: Duration = .seconds(2)

    /// Makes the sink, in a dry run one that discards events.
    package static func instance(
        of outline: ComponentOutline, in assembly: Assembly, _ make: () throws -> any AnalyticsSink
    ) throws -> any AnalyticsSink {
        assembly.optionalResource(DryRun.self) == nil ? try make() : TeeAnalyticsSink(sinks: [])
    }
}

extension Assembly {
    /// The clocks and randomness of sinks; by default those of the system.
    var analyticsEnvironment: AnalyticsEnvironment {
        optionalResource(AnalyticsEnvironment.self) ?? AnalyticsEnvironment()
    }

    /// Makes a queue in front of a writer, which starts at once and is closed with the service. Its counts continue
    /// those of the sink that it replaces in a reload.
    ///
    /// - Parameters:
    ///   - writer: makes the writer, which counts in this tally.
    ///   - closing: called with the writer after the last batch.
    func startedSink<Writer: AnalyticsWriter>(
        _ name: String, writer makeWriter: (AnalyticsTally) -> Writer,
        closing: @escaping @Sendable (Writer) async -> Void = { _ in }
    ) -> QueuedAnalyticsSink {
        let tally: AnalyticsTally = state { $0 ?? AnalyticsTally() }
        let writer = makeWriter(tally)
        let sink = QueuedAnalyticsSink(name: name, writer: writer, tally: tally, logger: resource(Logger.self))
        sink.start()
        onShutdown("sink \(name)") { [clock = analyticsEnvironment.clock] in
            await sink.close(within: SinkFamily.closingDeadline, clock: clock)
            await closing(writer)
        }
        return sink
    }
}

extension TeeAnalyticsSink {
    static let spec = ComponentSpec<SinkFamily>(
        type: "tee",
        summary: "gives every event to several sinks",
        fields: [.required("sinks", .components(SinkFamily.self), "which get every event, each by a queue of its own")],
        example: "{ type: tee, sinks: [{ type: log }, { type: file, path: /var/lib/larder/events.jsonl }] }",
        plan: { reader in
            let plans = reader.components("sinks", SinkFamily.self)
            if plans.isEmpty { reader.report(.error, at: "sinks", "\"sinks\" is empty") }
            for name in repeated(among: plans.flatMap { ends(of: $0.outline) }) {
                reader.report(.error, at: "sinks", "\"\(name)\" would get every event more than once")
            }
            return { assembly in TeeAnalyticsSink(sinks: try plans.map { try $0.instantiate(in: assembly) }) }
        })

    /// The sinks that an event reaches in the end, each once: a `tee` further down reports its own repetitions.
    private static func ends(of outline: ComponentOutline) -> [ComponentOutline] {
        outline.all.filter(\.children.isEmpty)
    }

    private static func repeated(among outlines: [ComponentOutline]) -> [String] {
        var seen: Set<String> = []
        var named: Set<String> = []
        return outlines.filter { !seen.insert($0.id).inserted && named.insert($0.id).inserted }.map(\.name)
    }
}
