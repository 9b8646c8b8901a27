internal import JSON
package import Logging

/// Writes events into the service's own log, at level `info`.
package struct LogAnalyticsWriter: AnalyticsWriter {
    private let logger: Logger
    private let tally: AnalyticsTally

    package init(logger: Logger, tally: AnalyticsTally) {
        self.logger = logger
        self.tally = tally
    }

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
