internal import Concurrency
internal import FoundationEssentials
package import Products

/// Names the catalogue of a fleet: the small mutable value of a shared storage.
///
/// Times are milliseconds since 1970 by the clock of the storage.
package struct CataloguePointer: Sendable, Hashable {
    /// Counts the catalogues that were committed, from 1.
    package var generation: Int
    /// The content hash of the products.
    package var revision: String
    /// The epoch of the turn under which it was committed.
    package var epoch: Int
    /// When the refresh began that last found these products at the upstream. A pointer with a later time is newer.
    package var startedAt: Int
    /// When that refresh was committed.
    package var checkedAt: Int
    /// The number of products.
    package var count: Int
    /// The length of the blob.
    package var bytes: Int
    /// The SHA-256 of the blob, by which it is named.
    package var sha256: String
    /// The encoding of the blob: `gzip`.
    package var encoding: String
    /// The member that committed it.
    package var writer: String
    /// The statements of an upstream that is a cache, as the refresh found them; nil for any other.
    package var source: PointerSource?
    /// Whether an operator let it through the gates of the fleet.
    package var isAccepted: Bool

    package init(
        generation: Int, revision: String, epoch: Int, startedAt: Int, checkedAt: Int, count: Int, bytes: Int,
        sha256: String, encoding: String = "gzip", writer: String, source: PointerSource? = nil,
        isAccepted: Bool = false
    ) {
        (self.generation, self.revision, self.epoch) = (generation, revision, epoch)
        (self.startedAt, self.checkedAt) = (startedAt, checkedAt)
        (self.count, self.bytes, self.sha256) = (count, bytes, sha256)
        (self.encoding, self.writer) = (encoding, writer)
        (self.source, self.isAccepted) = (source, isAccepted)
    }

    /// Makes the snapshot of its products.
    /// - Parameter checkedAt: its `startedAt` by the clock of the caller.
    func snapshot(of catalogue: Catalogue, checkedAt: Date) -> ProductsSnapshot {
        ProductsSnapshot(
            catalogue: catalogue, fetchedAt: checkedAt.advanced(by: .milliseconds(-(source?.age ?? 0))),
            checkedAt: checkedAt, origin: .network, source: source?.statement)
    }
}

/// The statements of an upstream that is a cache, beside a pointer. Its text is `age stale cache-status`, such as
/// `259200000 offline larder; hit; ttl=-259170`; members of earlier versions neither read nor write it.
package struct PointerSource: Sendable, Hashable {
    /// The milliseconds between the upstream's confirmation and the beginning of the refresh.
    package let age: Int
    private let stale: String
    private let cacheStatus: String
    private static let highest = 9_999_999_999_999
    /// The length of the longest text in bytes.
    static let longest = 200

    /// - Parameter askedAt: the beginning of the refresh.
    /// - Returns: nil where the upstream is the source itself.
    init?(_ snapshot: ProductsSnapshot, askedAt: Date) {
        let age = min(Self.highest, max(0, askedAt.milliseconds - snapshot.fetchedAt.milliseconds))
        guard age > 0 || snapshot.source != nil else { return nil }
        (self.age, stale) = (age, snapshot.source?.staleness?.rawValue ?? "-")
        cacheStatus = snapshot.source?.cacheStatus ?? ""
    }

    /// Reads the text of a storage; nil for any other form.
    package init?(text: String) {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, text.utf8.count <= Self.longest, let age = Int(parts[0]),
            (0...Self.highest).contains(age)
        else { return nil }
        (self.age, stale, cacheStatus) = (age, String(parts[1]), String(parts[2]))
    }

    package var text: String { "\(age) \(stale) \(cacheStatus)" }

    package var statement: SourceStatement? {
        let staleness = SourceStatement.Staleness(rawValue: stale)
        return staleness == nil && cacheStatus.isEmpty ? nil : SourceStatement(staleness, cacheStatus: cacheStatus)
    }
}

/// The order of an operator about pins, which every member obeys. A record with a higher version takes the place of one
/// with a lower version, also where a storage has lost the higher one.
package struct PinRecord: Sendable, Hashable {
    /// The time of the order in milliseconds since 1970.
    package var version: Int
    /// The catalogue that is served, over later commits; nil after the pin was taken off.
    package var pointer: CataloguePointer?
    /// The request and the peer of the order.
    package var by: String
    package var reason: String?

    package init(version: Int, pointer: CataloguePointer?, by: String, reason: String?) {
        (self.version, self.pointer, self.by, self.reason) = (version, pointer, by, reason)
    }
}
