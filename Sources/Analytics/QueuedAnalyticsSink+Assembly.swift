internal import Configuration
internal import Logging

extension QueuedAnalyticsSink {
    /// A sink that writes already, and is closed with the service.
    ///
    /// - Parameter writer: makes the writer, which is to count in this tally.
    static func started(
        name: String, in assembly: Assembly, writer: (AnalyticsTally) -> any AnalyticsWriter
    ) -> QueuedAnalyticsSink {
        let tally = assembly.state(ifUnchanged: .type) { AnalyticsTally() }
        let logger = assembly.resource(Logger.self)
        let sink = QueuedAnalyticsSink(name: name, writer: writer(tally), tally: tally, logger: logger)
        sink.start()
        let environment = assembly.optionalResource(AnalyticsEnvironment.self) ?? AnalyticsEnvironment()
        assembly.onShutdown("sink \(name)") {
            await sink.close(within: SinkFamily.closingDeadline, clock: environment.clock)
        }
        return sink
    }
}
