internal import FoundationEssentials
internal import HTTPServer
internal import Locks
internal import Products

/// The last heads that were made for a representation. Within a second all answers of one freshness have the same head,
/// and at thousands of requests a second it need not be made for each.
///
/// There are several, because variants of equal products are one representation and were fetched at times of their own,
/// and because a 304 has less to say than a 200.
final class HeadMemo: Sendable {
    /// All that a head depends on beside its representation.
    struct Key: Sendable, Equatable {
        var form: AnswerForm
        var second: Int
        /// When the representation counts as modified: it changes when it comes back after another one.
        var modified: Int
        var fetchedAt: Date
        var freshness: Freshness?
    }

    private static let capacity = 16
    /// The most recently made comes first; all are of one second.
    private let kept = Mutex<[(key: Key, head: HTTPHeaderBlock)]>([])

    /// The head for a key, made when it is not one of the last.
    func head(for key: Key, make: () throws -> HTTPHeaderBlock) rethrows -> HTTPHeaderBlock {
        if let known = kept.withLock({ kept in kept.first { $0.key == key }?.head }) { return known }
        let head = try make()
        kept.withLock { kept in
            kept.removeAll { $0.key.second != key.second }
            kept.insert((key, head), at: 0)
            if kept.count > Self.capacity { kept.removeLast() }
        }
        return head
    }
}
