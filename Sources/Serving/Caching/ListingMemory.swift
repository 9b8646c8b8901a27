internal import Concurrency
internal import HTTPServer
internal import Products
internal import Querying

/// The bytes of memory that responses take, by their use.
package struct ListingMemory: Sendable, Hashable {
    /// Canonical encodings of catalogues.
    package var catalogues: Int
    /// Whole catalogues encoded for clients, in every view and coding.
    package var encodings: Int
    /// Responses to single queries.
    package var responses: Int
    /// The differences between the revisions that were served.
    package var differences: Int
    /// Indexes for queries.
    package var indexes: Int
}

extension ListingCache {
    /// The bytes of all listings and responses, including replaced ones in flight.
    var memory: ListingMemory {
        let kept = state.withLock { $0.kept.map(\.encoded) }
        return ListingMemory(
            catalogues: kept.reduce(0) { $0 + $1.catalogue.encoded.count }, encodings: responseMemory.sharedCount,
            responses: responseMemory.count, differences: served.byteCount,
            indexes: kept.reduce(0) { $0 + $1.index.byteCount })
    }
}
