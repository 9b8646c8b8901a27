internal import Concurrency
internal import FoundationEssentials
internal import HTTPServer
internal import Products

/// A body that clients can keep, and what names it.
struct Representation: Sendable {
    let body: HTTPBody
    /// How the body is coded.
    let coding: ContentCoding
    /// A strong entity tag, quotes included.
    let entityTag: String
    /// The header `ETag`.
    let tagHead: HTTPHeaderBlock

    /// Below this the head is most of an answer, and a client gains nothing by unpacking the rest: with its head such an
    /// answer fits into one packet.
    private static let smallest = 860

    /// - Parameter entityTag: without one it is made from the content.
    init(body: HTTPBody, entityTag: String? = nil) {
        self.init(body: body, coding: .identity, entityTag: entityTag ?? EntityTag.strong(for: body))
    }

    private init(body: HTTPBody, coding: ContentCoding, entityTag: String) {
        self.body = body
        self.coding = coding
        self.entityTag = entityTag
        tagHead = Self.head(of: entityTag)
    }

    /// A copy whose body keeps another object alive.
    func holding(_ companion: any AnyObject & Sendable) -> Representation {
        Representation(body: body.holding(companion), coding: coding, entityTag: entityTag)
    }

    /// Returns a copy whose body retains `tally` until it is released.
    func counted(by tally: any AnyObject & Sendable) -> Representation {
        Representation(body: body.counted(by: tally), coding: coding, entityTag: entityTag)
    }

    /// Whether it may be worth a try to compress it.
    var isWorthCompressing: Bool { coding == .identity && body.count >= Self.smallest }

    /// A copy in gzip where that is shorter, and else itself. It may take milliseconds: make it off the event loops.
    var compressed: Representation {
        guard isWorthCompressing else { return self }
        let gzipped = gzipped
        return gzipped.body.count < body.count ? gzipped : self
    }

    /// A copy in gzip, whatever its length; itself when there is no memory for that.
    var gzipped: Representation {
        guard coding == .identity, let zipped = body.gzipped() else { return self }
        return Representation(body: zipped, coding: .gzip, entityTag: EntityTag.gzipped(entityTag))
    }

    /// A tag is made of what may be in a header.
    private static func head(of entityTag: String) -> HTTPHeaderBlock {
        var head = HTTPHeaderBlock()
        do { try head.append("ETag", entityTag) } catch { preconditionFailure("\(error)") }
        return head
    }
}

/// The answer to one question about one revision, in the bytes that clients get.
final class CachedResponse: Sendable {
    let representation: Representation
    /// The cursor to the next page; nil when there is none.
    let next: String?
    /// The heads as they were last made, but for the link, which repeats each client's own spelling of the query.
    let headMemo = HeaderCache()

    init(_ representation: Representation, next: String? = nil) {
        self.representation = representation
        self.next = next
    }

    /// A copy whose body keeps another object alive.
    func holding(_ companion: any AnyObject & Sendable) -> CachedResponse {
        CachedResponse(representation.holding(companion), next: next)
    }

    /// Returns a copy whose body retains `tally` until it is released.
    func counted(by tally: any AnyObject & Sendable) -> CachedResponse {
        CachedResponse(representation.counted(by: tally), next: next)
    }

    /// A copy in gzip where that is shorter, and else itself. It may take milliseconds: make it off the event loops.
    var compressed: CachedResponse {
        let compressed = representation.compressed
        return compressed.coding == representation.coding ? self : CachedResponse(compressed, next: next)
    }

    /// A copy in gzip for clients that accept nothing else; itself where it is that.
    ///
    /// A response that was left uncompressed is short, so this takes no time worth leaving a loop for.
    var gzipped: CachedResponse {
        representation.coding == .gzip ? self : CachedResponse(representation.gzipped, next: next)
    }
}

/// The last heads that were made for a representation. Within a second all answers of one freshness have the same head,
/// and at thousands of requests a second it need not be made for each.
///
/// There are several, because variants of equal products are one representation and were fetched at times of their own,
/// and because a 304 has less to say than a 200.
final class HeaderCache: Sendable {
    /// All that a head depends on beside its representation.
    struct Key: Sendable, Equatable {
        var form: ResponseForm
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
