internal import HTTPServer
internal import Logging
internal import ServiceLifecycle

/// Logs the number of refused requests by reason, at most one line a minute, and none without refusals.
///
/// It reads the counts of the servers, so a flood of requests costs nothing more.
struct RefusalLog: Service {
    private static let pause = Duration.seconds(60)

    /// Reads the numbers of refusals since the start, by reason.
    let counts: @Sendable () async -> [HTTPRefusal: Int]
    let logger: Logger
    var clock: any Clock<Duration> = ContinuousClock()

    func run() async throws {
        let reported = await cancelWhenGracefulShutdown { await reportEachMinute() }
        _ = await report(since: reported)
    }

    private func reportEachMinute() async -> [HTTPRefusal: Int] {
        var reported = await counts()
        while (try? await clock.sleep(for: Self.pause)) != nil { reported = await report(since: reported) }
        return reported
    }

    /// Logs the growth since the last counts, and returns the current ones.
    private func report(since reported: [HTTPRefusal: Int]) async -> [HTTPRefusal: Int] {
        let counts = await counts()
        var grown: Logger.Metadata = [:]
        for (reason, count) in counts where reason.isLogged && count > reported[reason, default: 0] {
            grown[reason.rawValue] = .stringConvertible(count - reported[reason, default: 0])
        }
        if !grown.isEmpty { logger.warning("refused", metadata: ["reasons": .dictionary(grown)]) }
        return counts
    }
}

extension RefusalLog {
    /// Logs the refusals of several servers together.
    init(servers: [HTTPServer], logger: Logger) {
        self.init(
            counts: {
                var total: [HTTPRefusal: Int] = [:]
                for server in servers { total.merge(await server.refusalCounts(), uniquingKeysWith: +) }
                return total
            }, logger: logger)
    }
}

extension HTTPRefusal {
    /// Whether an operator may have to act. Idle connections end all the time.
    fileprivate var isLogged: Bool { self != .idle }
}
