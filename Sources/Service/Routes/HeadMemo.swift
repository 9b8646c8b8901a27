internal import FoundationEssentials
internal import HTTPServer
internal import Products
internal import Locks

/// The last head that was made for a representation. Within a second all answers of one freshness have the same head,
/// and at thousands of requests a second it need not be made for each.
final class HeadMemo: Sendable {
    /// All that a head depends on beside its representation.
    struct Key: Sendable, Equatable {
        var second: Int
        var fetchedAt: Date
        var freshness: Freshness?
    }

    private let last = Mutex<(key: Key, head: HTTPHeaderBlock)?>(nil)

    /// The head for a key, made when it is not the last one.
    func head(for key: Key, make: () throws -> HTTPHeaderBlock) rethrows -> HTTPHeaderBlock {
        if let known = last.withLock({ $0?.key == key ? $0?.head : nil }) { return known }
        let head = try make()
        last.withLock { $0 = (key, head) }
        return head
    }
}
