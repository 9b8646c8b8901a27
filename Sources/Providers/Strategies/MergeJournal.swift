internal import Locks
internal import Logging
internal import Products

/// What `merge` tells the log of its parts, whose failures nobody above can tell apart, and of what they have in common.
/// Each thing is told once.
final class MergeJournal: Sendable {
    private struct Told: Sendable {
        /// The failures of the parts that fail, by the parts' names.
        var failing: [String: String] = [:]
        var duplicates = 0
    }

    private let provider: String
    private let logger: Logger
    private let told = Mutex(Told())

    init(provider: String, logger: Logger) {
        self.provider = provider
        self.logger = logger
    }

    /// A part failed; a line when it worked before, or failed in another way.
    func note(_ failure: ProductsFailure, of part: String) {
        guard failure != .cancelled else { return }
        let isNews = told.withLock { $0.failing.updateValue(failure.token, forKey: part) != failure.token }
        guard isNews else { return }
        logger.warning(
            "a part of the catalogue fails",
            metadata: [
                "provider": "\(provider)", "part": "\(part)", "reason": "\(failure.token)", "error": "\(failure)",
            ])
    }

    /// A part works; a line when it failed before.
    func noteSuccess(of part: String) {
        guard told.withLock({ $0.failing.removeValue(forKey: part) }) != nil else { return }
        logger.info(
            "a part of the catalogue recovered", metadata: ["provider": "\(provider)", "part": "\(part)"])
    }

    /// So many products were left out because others have their ids; a line when there were more or fewer before.
    func note(duplicates count: Int) {
        let isNews = told.withLock { told in
            defer { told.duplicates = count }
            return told.duplicates != count
        }
        guard isNews else { return }
        logger.info(
            "products were left out whose ids others have",
            metadata: ["provider": "\(provider)", "items": "\(count)"])
    }
}
