internal import Concurrency
internal import FoundationEssentials
internal import HTTPServer
internal import Health
internal import Logging
internal import ServiceLifecycle
internal import Serving

/// Stops the ports gracefully: they serve for a while so that load balancers react, then accept no connections, and
/// close after the last request. The operators' port stays open until the clients' port is closed.
struct HTTPLifecycle: Service {
    /// Each port's share of the time after the delay. The rest is for later steps, such as writing the last events.
    private static let shares = (clients: 0.7, operators: 0.1)

    let products: HTTPServer
    let admin: HTTPServer
    let drain: DrainConfiguration
    let logger: Logger
    var clock: any Clock<Duration> = ContinuousClock()

    var servers: [HTTPServer] { [products, admin] }

    /// The unfinished work of both ports.
    func openWork() async -> HTTPOpenWork { await products.openWork() + admin.openWork() }

    /// The work of both ports that was cut off.
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
        logger.logGraph(current.edition.graph.outline)
        try await gracefulShutdown()
    }
}

/// Logs that all but telemetry has stopped, which sends this line too.
struct StopLog: Service {
    let logger: Logger

    func run() async throws {
        try await gracefulShutdown()
        logger.notice("stopped")
    }
}

/// Makes the service not ready when the stop begins. It starts last and so stops first: load balancers do not wait for
/// a running reload.
struct DrainReadiness: Service {
    let readiness: ReadinessTracker

    func run() async throws {
        try await gracefulShutdown()
        readiness.startDraining()
    }
}

/// Reports a certificate that expires soon or has expired, and logs it once; the trouble ends with another certificate.
struct CertificateWatch: Service, TroubleReporting {
    /// The time before the expiry from which on it is a trouble, as in the alert `LarderCertificateExpiring`.
    static let notice = Duration.seconds(7 * 86400)
    private static let pause = Duration.seconds(60)
    private static let lines = TroubleBook.Lines(
        begin: "the certificate has to be replaced", end: "the certificate was replaced")

    /// The expiry of the certificate for new connections, in seconds since 1970; nil for plain HTTP.
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
