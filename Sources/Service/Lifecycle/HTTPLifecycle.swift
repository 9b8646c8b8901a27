internal import API
internal import HTTPServer
internal import Logging
internal import ServiceLifecycle

/// The ports' part of a graceful stop: still serving for a while so that load balancers notice, then no more
/// connections, then the end of the last request. The operators' port stays until the clients' one is closed.
struct HTTPLifecycle: Service {
    /// The shares of the time after the delay for clients and operators at most. The rest is for work after the ports
    /// are closed, such as events that are still to be written.
    private static let shares = (clients: 0.7, operators: 0.1)

    /// The clients' port.
    let products: HTTPServer
    /// The operators' port.
    let admin: HTTPServer
    let drain: DrainConfiguration
    let logger: Logger
    var clock: any Clock<Duration> = ContinuousClock()

    var servers: [HTTPServer] { [products, admin] }

    /// Unfinished work on either port.
    func openWork() async -> HTTPOpenWork { await products.openWork() + admin.openWork() }

    /// Work that was cut off unfinished, on either port.
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

extension HTTPOpenWork {
    /// How the log tells of it.
    var metadata: Logger.Metadata {
        ["connections": .stringConvertible(connections), "requests": .stringConvertible(requests)]
    }
}

/// Logs that the service serves, and what.
struct StartupLog: Service {
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

/// Says that the service is not ready as soon as it is told to stop. It starts last and so stops first: load balancers
/// need not wait for what takes its time, such as a reload that is under way.
struct DrainReadiness: Service {
    let readiness: ReadinessTracker

    func run() async throws {
        try await gracefulShutdown()
        readiness.startDraining()
    }
}

/// Keeps the graph warm until the service stops. An answer that is waited for then is left behind: a graph may let
/// nobody hurry it, and an upstream that hangs must not take the time of what comes after.
struct WarmKeeping: Service {
    let keepWarm: KeepWarm

    func run() async throws {
        let warming = Task.detached { [keepWarm] in try? await keepWarm.run() }
        try? await gracefulShutdown()
        warming.cancel()
    }
}
