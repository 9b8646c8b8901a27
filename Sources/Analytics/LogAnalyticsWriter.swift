package import Configuration
internal import JSON
internal import Logging

/// Writes events into the service's own log, at level `info`.
package struct LogAnalyticsWriter: AnalyticsWriter {
    package static let spec = ComponentSpec<SinkFamily>(
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

    let logger: Logger
    let tally: AnalyticsTally

    package func write(_ batch: [AnalyticsEvent]) async throws {
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
