internal import HTTPServer
internal import Logging
internal import ServiceLifecycle

/// Logs the number of refused requests by reason, at most one line a minute, and none without refusals.
///
/// It reads the counts of the servers, so that a flood of requests costs nothing more.
struct RefusalLog: Service {
    private static let pause = Duration.seconds(60)

    /// Reads the numbers of refusals since the start, by reason.
    let counts: @Sendable () async -> [HTTPRefusal: Int]
    let logger: Logger
    var clock: any Clock<Duration> = ContinuousClock()

    func run() async throws {
        let told = await cancelWhenGracefulShutdown { await tellEachMinute() }
        _ = await tell(since: told)
    }

    private func tellEachMinute() async -> [HTTPRefusal: Int] {
        var told = await counts()
        while (try? await clock.sleep(for: Self.pause)) != nil { told = await tell(since: told) }
        return told
    }

    /// Logs the growth since the last counts, and returns the new ones.
    private func tell(since told: [HTTPRefusal: Int]) async -> [HTTPRefusal: Int] {
        let counts = await counts()
        var grown: Logger.Metadata = [:]
        for (reason, count) in counts where reason.isNews && count > told[reason, default: 0] {
            grown[reason.rawValue] = .stringConvertible(count - told[reason, default: 0])
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
    /// Whether an operator may have to act. The end of an idle connection is usual.
    fileprivate var isNews: Bool { self != .idle }
}
