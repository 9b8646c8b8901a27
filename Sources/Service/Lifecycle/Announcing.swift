internal import Logging
internal import ServiceLifecycle

/// Logs that the service serves, and what.
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
