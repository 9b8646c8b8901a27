package import FoundationEssentials
package import Hashing
package import JSON
package import Products

/// The outcome of reading a collection, with the ages that its responses state.
package struct CollectionReading: Sendable {
    /// nil if the upstream confirmed the entity tag.
    package var content: CollectionContent?
    /// The time at which the upstream made or confirmed the content, by its oldest response.
    package private(set) var confirmedAt: Date
    /// The seconds that the `Date` of that response adds to its age; see ``CacheFields/dateOffset``.
    package private(set) var dateOffset: Double?
    /// The statement of the stalest response; nil if no cache made one.
    package private(set) var source: SourceStatement?

    /// - Parameter requestedAt: the beginning of the request.
    package init(_ headers: HTTPHeaders, requestedAt: Date) {
        let fields = CacheFields(headers, requestedAt: requestedAt, longest: SourceStatement.longest)
        (confirmedAt, dateOffset) = (fields.confirmedAt, fields.dateOffset)
        guard fields.isStale || !fields.cacheStatus.isEmpty else { return }
        let staleness: SourceStatement.Staleness? = fields.isOffline ? .offline : fields.isStale ? .stale : nil
        source = SourceStatement(staleness, cacheStatus: fields.cacheStatus)
    }

    /// Adds the statements of another response.
    package mutating func join(_ other: CollectionReading) {
        if other.confirmedAt < confirmedAt {
            (confirmedAt, dateOffset) = (other.confirmedAt, other.dateOffset)
        }
        source = SourceStatement.worse(source, other.source)
    }
}

/// The content of a collection, not decoded yet.
package struct CollectionContent: Sendable {
    package enum Body: Sendable {
        case document([UInt8])
        /// The items of all pages, in the order of the pages.
        case items([JSONValue])
    }

    package let body: Body
    /// The digest of all bodies as they were received.
    package let digest: ContentDigest
    /// The validator of the content, if the upstream sends one that a request can repeat.
    package let entityTag: String?
    /// The number of items in all, and the header that states it; nil where none does, or all pages were read.
    package let total: (name: String, count: Int)?

    package init(
        body: Body, digest: ContentDigest, entityTag: String?, total: (name: String, count: Int)? = nil
    ) {
        (self.body, self.digest, self.entityTag, self.total) = (body, digest, entityTag, total)
    }
}

extension CollectionContent {
    /// Returns the items; nil for a document without an array of them.
    package func items(of collection: CollectionResource) -> [JSONValue]? {
        switch body {
        case .items(let items): items
        case .document(let bytes):
            (try? JSONParser().parse(bytes)).flatMap(collection.items)
        }
    }
}
