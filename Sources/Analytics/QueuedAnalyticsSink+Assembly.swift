internal import Configuration
internal import Logging

extension QueuedAnalyticsSink {
    /// A sink that writes already, and is closed with the service.
    static func started(name: String, writer: any AnalyticsWriter, in assembly: Assembly) -> QueuedAnalyticsSink {
        let sink = QueuedAnalyticsSink(name: name, writer: writer, logger: assembly.resource(Logger.self))
        sink.start()
        assembly.onShutdown("sink \(name)") { await sink.close(within: SinkFamily.closingDeadline) }
        return sink
    }
}
