internal import Configuration
internal import HTTPServer
internal import Logging
internal import ServiceLifecycle

/// A shop's API to practise with: it serves a catalogue and fails on demand.
struct PracticeUpstream: Service {
    /// Where it listens.
    let port: Int
    private let server: HTTPServer
    private let logger: Logger

    /// Binds the port and serves from now on.
    init(catalogue: PracticeCatalogue, listen: NetworkAddress, runtime: Runtime) async throws {
        let shelf = PracticeShelf(catalogue: catalogue)
        let router = Router([
            Route(.get, "/products", PracticeProductsHandler(shelf: shelf)),
            Route(.get, "/_fault", PracticeFaultHandler(shelf: shelf)),
            Route(.put, "/_fault", PracticeFaultHandler(shelf: shelf)),
        ])
        server = runtime.server(listen) { _ in router }
        try await server.start()
        port = server.port.map(Int.init) ?? 0
        logger = runtime.logger
    }

    func run() async throws {
        logger.notice(
            "practice upstream serving",
            metadata: ["port": .stringConvertible(port), "modes": "\(PracticeFault.modes)"])
        try await gracefulShutdown()
        await stop()
    }

    /// Closes the port; what hangs on purpose is cut off.
    func stop() async {
        await server.stop(deadline: .milliseconds(100))
    }
}
