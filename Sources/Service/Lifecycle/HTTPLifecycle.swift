internal import Concurrency
internal import FoundationEssentials
internal import HTTPServer
internal import Health
internal import Logging
internal import ServiceLifecycle
internal import Serving

/// Stops the ports gracefully: they serve for a while so that load balancers notice, then take no connections, and close
/// after the last request. The operators' port stays open until the clients' one is closed.
struct HTTPLifecycle: Service {
    /// The shares of the time after the delay for each port. The rest is for later steps, such as writing the last events.
    private static let shares = (clients: 0.7, operators: 0.1)

    let products: HTTPServer
    let admin: HTTPServer
    let drain: DrainConfiguration
    let logger: Logger
    var clock: any Clock<Duration> = ContinuousClock()

    var servers: [HTTPServer] { [products, admin] }

    /// The unfinished work of both ports.
    func openWork() async -> HTTPOpenWork { await products.openWork() + admin.openWork() }

    /// The work of both ports that was closed before it was finished.
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
    var metadata: Logger.Metadata {
        ["connections": .stringConvertible(connections), "requests": .stringConvertible(requests)]
    }
}

/// Logs the start of the service and its graph.
struct StartupLog: Service {
    let current: CurrentEdition
    let logger: Logger
    let metadata: Logger.Metadata

    func run() async throws {
        logger.notice("serving", metadata: metadata)
        logger.noteGraph(current.edition.graph.outline)
        try await gracefulShutdown()
    }
}

/// Makes the service not ready as soon as it is told to stop. It starts last and so stops first: load balancers do not wait
/// for a running reload.
struct DrainReadiness: Service {
    let readiness: ReadinessTracker

    func run() async throws {
        try await gracefulShutdown()
        readiness.startDraining()
    }
}

/// Keeps the graph warm until the service stops. It does not wait for the last answer, since a hanging upstream must not
/// take the time of later steps.
struct WarmKeeping: Service {
    let keepWarm: KeepWarm

    func run() async throws {
        let warming = Task.detached { [keepWarm] in try? await keepWarm.run() }
        try? await gracefulShutdown()
        warming.cancel()
    }
}

/// Reports a certificate that ends soon or has ended, and logs it once; the end of the trouble is another certificate.
struct CertificateWatch: Service, TroubleReporting {
    /// The time before the end from which on it is a trouble, as in the alert `LarderCertificateExpiring`.
    static let notice = Duration.seconds(7 * 86400)
    private static let pause = Duration.seconds(60)
    private static let lines = TroubleBook.Lines(
        begin: "the certificate has to be replaced", end: "the certificate was replaced")

    /// The end of the certificate for new connections, in seconds since 1970; nil for plain HTTP.
    let validUntil: @Sendable () -> Int64?
    let logger: Logger
    let wallClock: WallClock
    var clock: any Clock<Duration> = ContinuousClock()

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let book = TroubleBook(wallClock: wallClock, logger: logger)
            repeat {
                book.record(.certificate, troubles.first?.cause, lines: Self.lines)
            } while (try? await clock.sleep(for: Self.pause)) != nil
        }
    }

    var troubles: [Trouble] {
        guard let end = validUntil().map({ Date(timeIntervalSince1970: TimeInterval($0)) }) else { return [] }
        let left = end.timeIntervalSince(wallClock.now())
        guard left < Self.notice / .seconds(1) else { return [] }
        let text = end.formatted(.iso8601)
        if left <= 0 { return [Trouble(.certificate, cause: "it ended at \(text)", since: end)] }
        let days = Int(left / 86400)
        let time = days == 1 ? "1 day" : "\(days) days"
        return [
            Trouble(.certificate, cause: "it ends at \(text), in \(time)", since: end.advanced(by: .zero - Self.notice))
        ]
    }
}
