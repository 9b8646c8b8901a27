internal import Analytics
internal import Configuration
internal import Logging

extension LogAnalyticsWriter {
    static let spec = ComponentSpec<SinkFamily>(
        type: "log",
        summary: "writes events into the service's own log",
        fields: [],
        example: "{ type: log }",
        plan: { reader in
            let name = reader.name
            return { assembly in
                let logger = assembly.resource(Logger.self)
                return assembly.startedSink(name) { LogAnalyticsWriter(logger: logger, tally: $0) }
            }
        })
}
