internal import Concurrency
internal import Logging
internal import Products

/// Logs failures of the parts of a `merge`, which providers above cannot tell apart, and duplicate ids among them. Each
/// change is logged once for each variant of the requests.
final class MergeJournal: Sendable {
    private struct Logged: Sendable {
        /// The tokens of the failures, by the names of the failing parts.
        var failing: [String: String] = [:]
        var duplicates = 0
    }

    typealias Key = VariantKey.Key

    private let provider: String
    private let logger: Logger
    private let logged = Mutex<[Key: Logged]>([:])

    init(provider: String, logger: Logger) {
        self.provider = provider
        self.logger = logger
    }

    /// Records that a part failed for these requests; logs it if it worked before or failed in another way.
    func note(_ failure: ProductsFailure, of part: String, for key: Key) {
        guard failure != .cancelled else { return }
        let before = logged.withLock { $0[key, default: Logged()].failing.updateValue(failure.token, forKey: part) }
        guard before != failure.token else { return }
        let details: Logger.Metadata = ["part": "\(part)", "reason": "\(failure.token)", "error": "\(failure)"]
        log(.warning, "a part of the catalogue fails", key, details)
    }

    /// Records that a part works for these requests; logs it if it failed before.
    func noteSuccess(of part: String, for key: Key) {
        guard logged.withLock({ $0[key]?.failing.removeValue(forKey: part) }) != nil else { return }
        log(.notice, "a part of the catalogue recovered", key, ["part": "\(part)"])
    }

    /// Records the number of duplicate product ids; logs it if it has changed.
    func note(duplicates count: Int, for key: Key) {
        let isChanged = logged.withLock { logged in
            defer { logged[key, default: Logged()].duplicates = count }
            return logged[key, default: Logged()].duplicates != count
        }
        if isChanged { log(.info, "products were left out whose ids others have", key, ["items": "\(count)"]) }
    }

    private func log(_ level: Logger.Level, _ message: Logger.Message, _ key: Key, _ details: Logger.Metadata) {
        var metadata = details
        metadata["provider"] = "\(provider)"
        if !key.isEmpty { metadata["variant"] = "\(key.joined(separator: ", "))" }
        logger.log(level: level, message, metadata: metadata)
    }
}
