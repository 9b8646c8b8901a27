internal import Logging
internal import ServiceLifecycle

/// Logs that the service serves, and what: from then on a signal to stop is heeded, which before would end the process.
struct Announcing: Service {
    let current: CurrentEdition
    let logger: Logger
    /// The ports, and what else there is to say.
    let metadata: Logger.Metadata

    func run() async throws {
        logger.notice("serving", metadata: metadata)
        logger.noteGraph(current.edition.graph.outline)
        try await gracefulShutdown()
    }
}
