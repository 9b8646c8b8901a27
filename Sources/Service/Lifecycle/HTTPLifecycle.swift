internal import HTTPServer
internal import Logging
internal import ServiceLifecycle

/// The ports' part of a graceful stop: still serving for a while so that load balancers notice, then no more
/// connections, then the end of the last request.
struct HTTPLifecycle: Service {
    let servers: [HTTPServer]
    let drain: DrainConfiguration
    let logger: Logger
    var clock: any Clock<Duration> = ContinuousClock()

    func run() async throws {
        try await gracefulShutdown()
        logger.notice("draining", metadata: ["delay": "\(drain.delay)", "deadline": "\(drain.deadline)"])
        for server in servers { await server.beginDraining() }
        try await clock.sleep(for: drain.delay)
        let left = drain.deadline - drain.delay
        await withTaskGroup(of: Void.self) { group in
            for server in servers { group.addTask { await server.stop(deadline: left * 0.8) } }
        }
    }
}
