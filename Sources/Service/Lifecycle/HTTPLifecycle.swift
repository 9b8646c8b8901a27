internal import HTTPServer
internal import Logging
internal import ServiceLifecycle

/// The ports' part of a graceful stop: still serving for a while so that load balancers notice, then no more
/// connections, then the end of the last request. The operators' port stays until the clients' one is closed.
struct HTTPLifecycle: Service {
    /// Of the time after the delay, what clients and what operators get at most. The rest is for what comes after the
    /// ports, such as events that are still to be written.
    private static let shares = (clients: 0.7, operators: 0.1)

    /// The clients' port.
    let products: HTTPServer
    /// The operators' port.
    let admin: HTTPServer
    let drain: DrainConfiguration
    let logger: Logger
    var clock: any Clock<Duration> = ContinuousClock()

    var servers: [HTTPServer] { [products, admin] }

    /// What is not finished yet on either port.
    func openWork() async -> HTTPOpenWork { await products.openWork() + admin.openWork() }

    /// What was closed before it was finished, on either port.
    var cutOff: HTTPOpenWork { products.cutOff + admin.cutOff }

    func run() async throws {
        try await gracefulShutdown()
        logger.notice("draining", metadata: ["delay": "\(drain.delay)", "deadline": "\(drain.deadline)"])
        for server in servers { await server.beginDraining() }
        try await clock.sleep(for: drain.delay)
        let left = drain.deadline - drain.delay
        await products.stop(deadline: left * Self.shares.clients, clock: clock)
        await admin.stop(deadline: left * Self.shares.operators, clock: clock)
        let cutOff = cutOff
        if cutOff != .none { logger.error("connections were cut off", metadata: cutOff.metadata) }
    }
}
