internal import Concurrency
internal import FoundationEssentials
package import HTTPServer
internal import Products

/// A body with its entity tag.
package struct Representation: Sendable {
    package let body: HTTPBody
    package let coding: ContentCoding
    /// A strong entity tag, quotes included.
    package let entityTag: String
    /// The language that was negotiated for its texts; nil for none.
    package let language: String?
    /// The header `ETag`.
    package let tagHead: HTTPHeaderBlock

    /// The least size that is compressed: a smaller body fits into one packet with its head.
    private static let smallest = 860

    /// - Parameters:
    ///   - entityTag: without one it is a hash of the content.
    ///   - language: becomes a part of the tag.
    package init(body: HTTPBody, entityTag: String? = nil, language: String? = nil) {
        let tag = entityTag ?? EntityTag.strong(for: body)
        self.init(
            body: body, coding: .identity, entityTag: language.map { EntityTag.localized(tag, in: $0) } ?? tag,
            language: language)
    }

    private init(body: HTTPBody, coding: ContentCoding, entityTag: String, language: String?) {
        self.body = body
        self.coding = coding
        self.entityTag = entityTag
        self.language = language
        tagHead = Self.head(of: entityTag)
    }

    /// Whether it is worth compressing.
    var isWorthCompressing: Bool { coding == .identity && body.count >= Self.smallest }

    /// Whether clients that want this coding get these bytes.
    func `is`(_ coding: ContentCoding) -> Bool { coding == .identity || !isWorthCompressing }

    /// The representation in gzip if that is shorter, or itself. It may take milliseconds: call it off the event loops.
    package var compressed: Representation { compressed { $0.gzipped() } }

    /// The representation in gzip by a function, if that is shorter, or itself.
    func compressed(by pack: (HTTPBody) -> HTTPBody?) -> Representation {
        guard isWorthCompressing else { return self }
        let gzipped = gzipped(by: pack)
        return gzipped.body.count < body.count ? gzipped : self
    }

    /// The representation in gzip, whatever its length; itself if memory is short.
    package var gzipped: Representation { gzipped { $0.gzipped() } }

    private func gzipped(by pack: (HTTPBody) -> HTTPBody?) -> Representation {
        guard coding == .identity, let zipped = pack(body) else { return self }
        return Representation(
            body: zipped, coding: .gzip, entityTag: EntityTag.gzipped(entityTag), language: language)
    }

    /// Returns a copy with an equal body that retains other objects.
    fileprivate func with(_ body: HTTPBody) -> Representation {
        Representation(body: body, coding: coding, entityTag: entityTag, language: language)
    }

    /// Appending cannot fail, since a tag is valid in a header.
    private static func head(of entityTag: String) -> HTTPHeaderBlock {
        var head = HTTPHeaderBlock()
        do { try head.append("ETag", entityTag) } catch { preconditionFailure("\(error)") }
        return head
    }
}

/// The form of a response, on which its head depends.
package enum ResponseForm: Sendable, Hashable {
    /// A 200 with the bytes in this coding.
    case whole(ContentCoding)
    case notModified
}

/// A response about one revision, encoded for clients.
package final class CachedResponse: Sendable {
    package let representation: Representation
    /// The cursor to the next page; nil when there is none.
    package let next: String?
    /// The last heads, without `Link`, which depends on the client's spelling of the query.
    let headMemo = HeaderCache()

    init(_ representation: Representation, next: String? = nil) {
        self.representation = representation
        self.next = next
    }

    /// Returns a copy with an equal body that retains other objects.
    func with(_ body: HTTPBody) -> CachedResponse {
        CachedResponse(representation.with(body), next: next)
    }

    /// The response in gzip if that is shorter, or itself. It may take milliseconds: call it off the event loops.
    var compressed: CachedResponse { compressed { $0.gzipped() } }

    /// The response in gzip by a function, if that is shorter, or itself.
    func compressed(by pack: (HTTPBody) -> HTTPBody?) -> CachedResponse {
        let compressed = representation.compressed(by: pack)
        return compressed.coding == representation.coding ? self : CachedResponse(compressed, next: next)
    }

    /// The response in gzip for clients that accept nothing else. A response not yet in gzip is short, so this is quick
    /// enough for an event loop.
    package var gzipped: CachedResponse {
        representation.coding == .gzip ? self : CachedResponse(representation.gzipped, next: next)
    }
}

/// A representation with the cache of its heads: a page or one product.
package protocol FoundResponse: Sendable {
    var representation: Representation { get }
    /// The cursor to the next page; nil when there is none.
    var next: String? { get }
    /// The response in gzip for clients that accept nothing else.
    var gzipped: Self { get }

    /// The head for a key, made if it is not kept.
    /// - Parameter make: makes all fields but the tag.
    func head(
        for key: HeaderCache.Key, in encoded: EncodedListing, make: () throws -> HTTPHeaderBlock
    ) rethrows -> HTTPHeaderBlock
}

extension CachedResponse: FoundResponse {
    package func head(
        for key: HeaderCache.Key, in encoded: EncodedListing, make: () throws -> HTTPHeaderBlock
    ) rethrows -> HTTPHeaderBlock {
        try headMemo.head(for: key) { representation.tagHead.followed(by: try make()) }
    }
}

extension Representation: FoundResponse {
    package var representation: Representation { self }
    package var next: String? { nil }

    /// The heads of all products in a language differ in the tag alone, so the common part is kept once.
    package func head(
        for key: HeaderCache.Key, in encoded: EncodedListing, make: () throws -> HTTPHeaderBlock
    ) rethrows -> HTTPHeaderBlock {
        tagHead.followed(by: try encoded.partMemo(in: language).head(for: key, make: make))
    }
}

/// Keeps the last heads of a representation: within a second all responses of one freshness have the same head.
///
/// There are several, because variants with equal products share a representation but differ in fetch time, and because
/// a 304 has another head.
package final class HeaderCache: Sendable {
    /// The inputs of a head beside its representation.
    package struct Key: Sendable, Equatable {
        var form: ResponseForm
        var second: Int
        /// The modification time, which changes when the representation returns after another one.
        var modified: Int
        var fetchedAt: Date
        var checkedAt: Date
        var freshness: Freshness?
    }

    private static let capacity = 16
    /// The newest first; all of one second.
    private let kept = Mutex<[(key: Key, head: HTTPHeaderBlock)]>([])

    /// The head for a key, made if it is not kept.
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
