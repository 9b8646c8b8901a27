internal import Concurrency
internal import Logging

/// Logs the beginning of a trouble as a warning and its end as a notice, once each.
final class TroubleLog: Sendable {
    /// A condition that loses events or holds them up, by the line that is logged when it begins.
    enum Trouble: String, Sendable {
        case failing = "analytics sink fails, events are dropped"
        case notRotated = "analytics file cannot be rotated and grows"
        case undelivered = "analytics cannot be delivered and wait"
        case refused = "analytics are refused, events are dropped"
        case full = "there is no room for more undelivered analytics, events are dropped"
        case notKept = "undelivered analytics cannot be kept, events are dropped"
        case notRead = "undelivered analytics cannot be worked off and wait"

        /// The line that is logged when it ends.
        fileprivate var end: String {
            switch self {
            case .failing: "analytics sink recovered"
            case .notRotated: "analytics file is rotated again"
            case .undelivered: "analytics are delivered again"
            case .refused: "analytics are accepted again"
            case .full: "there is room for undelivered analytics again"
            case .notKept: "undelivered analytics can be kept again"
            case .notRead: "undelivered analytics can be worked off again"
            }
        }
    }

    private let logger: Logger
    private let current = Mutex<Set<Trouble>>([])

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Records whether a trouble exists, and logs a change.
    func report(_ trouble: Trouble, isSo: Bool, _ details: [String: String] = [:]) {
        let isChange = current.withLock { isSo ? $0.insert(trouble).inserted : $0.remove(trouble) != nil }
        guard isChange else { return }
        let metadata: Logger.Metadata = details.mapValues { "\($0)" }
        logger.log(level: isSo ? .warning : .notice, "\(isSo ? trouble.rawValue : trouble.end)", metadata: metadata)
    }
}
