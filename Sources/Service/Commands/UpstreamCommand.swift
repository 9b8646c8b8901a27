public import Configuration
internal import FileSystem
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// `larder upstream`: a practice upstream whose faults are switched while it runs.
public struct UpstreamCommand: Sendable {
    private let listen: NetworkAddress
    private let cataloguePath: String?
    private let environment: CommandEnvironment

    /// Serves the catalogue at `cataloguePath`, or a made-up one, on `listen`.
    public init(listen: NetworkAddress, cataloguePath: String?, environment: CommandEnvironment) {
        self.listen = listen
        self.cataloguePath = cataloguePath
        self.environment = environment
    }

    /// Runs until SIGTERM or SIGINT.
    ///
    /// - Throws: `CommandFailure` when the catalogue cannot be read or the port cannot be had.
    public func run() async throws {
        let logger = Logger.larder(level: .info)
        let runtime = try Runtime(threads: 1, logger: logger)
        do {
            let catalogue = try PracticeCatalogue.load(cataloguePath)
            let upstream = try await PracticeUpstream(catalogue: catalogue, listen: listen, runtime: runtime)
            let group = ServiceGroup(
                services: [upstream], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
            try await group.run()
        } catch {
            throw CommandFailure("larder: \(error)")
        }
        await runtime.shutdown()
    }
}
