internal import Concurrency
internal import Logging
internal import Products

/// What `merge` tells the log of its parts, whose failures nobody above can tell apart, and of what they have in
/// common. Each thing is told once for each part of the requests.
final class MergeJournal: Sendable {
    private struct Told: Sendable {
        /// The failures of the parts that fail, by the parts' names.
        var failing: [String: String] = [:]
        var duplicates = 0
    }

    typealias Key = RequestDivision.Key

    private let provider: String
    private let logger: Logger
    private let told = Mutex<[Key: Told]>([:])

    init(provider: String, logger: Logger) {
        self.provider = provider
        self.logger = logger
    }

    /// A part failed for these requests; a line when it worked before, or failed in another way.
    func note(_ failure: ProductsFailure, of part: String, for key: Key) {
        guard failure != .cancelled else { return }
        let before = told.withLock { $0[key, default: Told()].failing.updateValue(failure.token, forKey: part) }
        guard before != failure.token else { return }
        var metadata = metadata(key)
        metadata["part"] = "\(part)"
        metadata["reason"] = "\(failure.token)"
        metadata["error"] = "\(failure)"
        logger.warning("a part of the catalogue fails", metadata: metadata)
    }

    /// A part works for these requests; a line when it failed before.
    func noteSuccess(of part: String, for key: Key) {
        guard told.withLock({ $0[key]?.failing.removeValue(forKey: part) }) != nil else { return }
        var metadata = metadata(key)
        metadata["part"] = "\(part)"
        logger.notice("a part of the catalogue recovered", metadata: metadata)
    }

    /// So many products were left out because others have their ids; a line when there were more or fewer before.
    func note(duplicates count: Int, for key: Key) {
        let isNews = told.withLock { told in
            defer { told[key, default: Told()].duplicates = count }
            return told[key, default: Told()].duplicates != count
        }
        guard isNews else { return }
        var metadata = metadata(key)
        metadata["items"] = "\(count)"
        logger.info("products were left out whose ids others have", metadata: metadata)
    }

    private func metadata(_ key: Key) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["provider": "\(provider)"]
        if !key.isEmpty { metadata["variant"] = "\(key.joined(separator: ", "))" }
        return metadata
    }
}
