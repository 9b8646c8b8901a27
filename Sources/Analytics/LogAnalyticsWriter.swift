public import Configuration
internal import JSON
public import Logging

/// Writes events into the service's own log, at level `info`.
public struct LogAnalyticsWriter: AnalyticsWriter {
    /// `type: log` in the `analytics:` section.
    public static let spec = ComponentSpec<SinkFamily>(
        type: "log",
        summary: "writes events into the service's own log",
        fields: [],
        example: "{ type: log }",
        plan: { reader in
            let name = reader.name
            return { assembly in
                let logger = assembly.resource(Logger.self)
                return QueuedAnalyticsSink.started(name: name, in: assembly) { tally in
                    LogAnalyticsWriter(logger: logger, tally: tally)
                }
            }
        })

    /// Nil: nothing waits.
    public var backlogBytes: Int? { nil }
    private let logger: Logger
    private let tally: AnalyticsTally

    /// Makes a writer.
    public init(logger: Logger, tally: AnalyticsTally) {
        self.logger = logger
        self.tally = tally
    }

    /// Logs each event of the batch.
    public func write(_ batch: [AnalyticsEvent]) async throws {
        for event in batch {
            var metadata: Logger.Metadata = ["event": "\(event.name)"]
            for member in event.parameters.members {
                metadata["parameters.\(member.key)"] = "\(member.value.string ?? "\(member.value)")"
            }
            logger.info("analytics", metadata: metadata)
        }
        tally.noteSent(batch.map(\.name))
    }
}
