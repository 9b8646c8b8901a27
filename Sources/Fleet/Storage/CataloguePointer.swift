/// Names the catalogue of a fleet: the small mutable value of a shared storage.
///
/// Times are milliseconds since 1970 by the clock of the storage.
package struct CataloguePointer: Sendable, Hashable, Codable {
    /// Counts the catalogues that were committed, from 1.
    package var generation: Int
    /// The content hash of the products.
    package var revision: String
    /// The epoch of the lease under which it was committed.
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

    package init(
        generation: Int, revision: String, epoch: Int, startedAt: Int, checkedAt: Int, count: Int, bytes: Int,
        sha256: String, encoding: String = "gzip", writer: String
    ) {
        (self.generation, self.revision, self.epoch) = (generation, revision, epoch)
        (self.startedAt, self.checkedAt) = (startedAt, checkedAt)
        (self.count, self.bytes, self.sha256) = (count, bytes, sha256)
        (self.encoding, self.writer) = (encoding, writer)
    }
}

/// The order of an operator about pins, which every member obeys. A record with a higher version takes the place of one
/// with a lower version, also where a storage has lost the higher one.
package struct PinRecord: Sendable, Hashable, Codable {
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
