public import Configuration
internal import FileSystem
internal import Logging
internal import ServiceLifecycle

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

    /// Runs until SIGTERM, SIGINT or SIGHUP, in whichever moment of the start that comes; as process 1 of a container
    /// too.
    ///
    /// - Throws: `CommandFailure` when the catalogue cannot be read or the port cannot be had.
    public func run() async throws {
        let signals = SignalWatch.begun()
        let runtime = try Runtime(threads: 1, log: ServiceLog(level: .info))
        defer { runtime.flushLog() }
        do {
            let catalogue = try PracticeCatalogue.load(cataloguePath)
            let upstream = try await PracticeUpstream(catalogue: catalogue, listen: listen, runtime: runtime)
            let group = ServiceGroup(services: [upstream], logger: runtime.logger)
            // There is nothing to reload.
            let stopping = [signals.stops, signals.reloads].map { wishes in
                Task { for await _ in wishes { await group.triggerGracefulShutdown() } }
            }
            defer { for wish in stopping { wish.cancel() } }
            try await group.run()
        } catch {
            throw CommandFailure("larder: \(error)")
        }
        await runtime.shutdown()
    }
}
