internal import Locks
internal import Logging

/// Knows whether the endpoint accepts events and the spool keeps them, and logs each change once.
final class DeliveryHealth: Sendable {
    /// A trouble, by the line that is logged when it begins.
    enum Trouble: String, Sendable {
        case undelivered = "analytics cannot be delivered and wait"
        case refused = "analytics are refused, events are dropped"
        case full = "there is no room for more undelivered analytics, events are dropped"
        case notKept = "undelivered analytics cannot be kept, events are dropped"
        case notRead = "undelivered analytics cannot be worked off and wait"

        /// The line that is logged when it ends.
        fileprivate var end: String {
            switch self {
            case .undelivered: "analytics are delivered again"
            case .refused: "analytics are accepted again"
            case .full: "there is room for undelivered analytics again"
            case .notKept: "undelivered analytics can be kept again"
            case .notRead: "undelivered analytics can be worked off again"
            }
        }
    }

    private struct State: Sendable {
        var troubles: Set<Trouble> = []
        /// Deliveries that failed in a row.
        var failures = 0
        /// Pause that the endpoint asked for.
        var wait: Duration = .zero
        var isDown = false
    }

    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameter logger: one that names the sink.
    init(logger: Logger) {
        self.logger = logger
    }

    /// Whether new events have to wait without a try.
    var isDown: Bool { state.withLock(\.isDown) }

    /// Pause before the next try: a random part of a limit that doubles with each failure from a second to five minutes,
    /// so that replicas do not come back together, and at least what the endpoint asked for, up to an hour.
    ///
    /// - Parameter jitter: the part, 0 to 1.
    func pause(jitter: Double) -> Duration {
        state.withLock { state in
            guard state.isDown else { return .zero }
            let limit: Duration = .seconds(min(300, 1 << min(state.failures - 1, 9)))
            return max(min(state.wait, .seconds(3600)), limit * jitter)
        }
    }

    /// Lets new events be tried.
    func letTry() {
        state.withLock { $0.isDown = false }
    }

    /// Records a delivery. A refusal shows that the endpoint is up, but only a delivery ends an outage.
    ///
    /// - Parameter isLast: whether no other events wait, which may fail again.
    func record(_ outcomes: [GoogleAnalyticsEndpoint.Outcome], isLast: Bool = true) {
        var refusal: Int?
        var failure: (reason: String, wait: Duration)?
        for outcome in outcomes {
            switch outcome {
            case .delivered, .interrupted: break
            case .refused(let status): refusal = status
            case .failed(let reason, let wait): failure = (reason, max(wait, failure?.wait ?? .zero))
            }
        }
        let isDelivered = outcomes.contains(.delivered)
        state.withLock { state in
            if isDelivered || refusal != nil { (state.failures, state.isDown) = (0, false) }
            if let failure { (state.failures, state.wait, state.isDown) = (state.failures + 1, failure.wait, true) }
        }
        if let refusal { report(.refused, isSo: true, ["status": "\(refusal)"]) }
        if isDelivered, refusal == nil { report(.refused, isSo: false) }
        if let failure { report(.undelivered, isSo: true, ["error": failure.reason]) }
        if isDelivered, failure == nil, isLast { report(.undelivered, isSo: false) }
    }

    /// Logs the beginning or the end of a trouble, once.
    func report(_ trouble: Trouble, isSo: Bool, _ details: [String: String] = [:]) {
        let isChange = state.withLock { state in
            isSo ? state.troubles.insert(trouble).inserted : state.troubles.remove(trouble) != nil
        }
        guard isChange else { return }
        let metadata: Logger.Metadata = details.mapValues { "\($0)" }
        logger.log(level: isSo ? .warning : .notice, "\(isSo ? trouble.rawValue : trouble.end)", metadata: metadata)
    }
}
