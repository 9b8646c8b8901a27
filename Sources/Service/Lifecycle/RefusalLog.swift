internal import HTTPServer
internal import Logging
internal import ServiceLifecycle

/// Tells how many requests were not served and why: one line a minute at most, and none while there is nothing to tell.
///
/// The servers count anyway; here they are asked, so that a flood costs no more for being told.
struct RefusalLog: Service {
    private static let pause = Duration.seconds(60)

    /// How often each was refused since the start, for each reason.
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

    /// Tells what has grown, and gives what is told by then.
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
    /// The total over these servers.
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
    /// Whether an operator may have to do something about it. A connection that was idle for long ends every day.
    fileprivate var isNews: Bool { self != .idle }
}
