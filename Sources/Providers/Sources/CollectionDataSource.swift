package import Concurrency
package import Decoding
package import FoundationEssentials
package import Hashing
package import JSON
package import Networking
package import Products

/// Reads a collection of an upstream as a whole.
package protocol CollectionDataSource: Sendable {
    var collection: CollectionResource { get }

    /// Reads the collection.
    ///
    /// - Parameters:
    ///   - entityTag: the validator of the caller's content; nil without one.
    ///   - headers: sent with each request.
    ///   - wallClock: the time by which ages count.
    /// - Throws: `ProductsFailure`, `HTTPClientError`, `CancellationError`.
    func read(
        unless entityTag: String?, adding headers: [HTTPHeader], wallClock: WallClock
    ) async throws -> CollectionReading
}

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
    mutating func join(_ other: CollectionReading) {
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
    package let digest: SHA256Digest
    /// The validator of the content, if the upstream sends one that a request can repeat.
    package let entityTag: String?
}

extension CollectionContent {
    /// Returns the items; nil for a document without an array of them.
    func items(of collection: CollectionResource) -> [JSONValue]? {
        switch body {
        case .items(let items): items
        case .document(let bytes):
            (try? JSONParser().parse(bytes)).flatMap(collection.items)
        }
    }
}

/// Reads a collection from a single response.
package struct PlainCollectionDataSource: CollectionDataSource {
    package let collection: CollectionResource
    private let fetcher: any CollectionFetcher
    private let format: DocumentFormat

    /// - Parameter format: of the response's body.
    package init(
        _ collection: CollectionResource, fetcher: any CollectionFetcher, format: DocumentFormat = .json
    ) {
        self.collection = collection
        self.fetcher = fetcher
        self.format = format
    }

    package func read(
        unless entityTag: String?, adding headers: [HTTPHeader], wallClock: WallClock
    ) async throws -> CollectionReading {
        let entityTag = collection.isConditional ? entityTag : nil
        let validators = entityTag.map { [HTTPHeader("If-None-Match", $0)] } ?? []
        let requestedAt = wallClock.now()
        let response = try await fetcher.fetch(collection.request(adding: validators + headers))
        var reading = CollectionReading(response.headers, requestedAt: requestedAt)
        if response.status == 304, entityTag != nil { return reading }
        guard response.status == 200 else { throw ProductsFailure(status: response) }
        // XML looks like HTML, and servers call anything so: the readers of other formats tell.
        guard format != .json || !response.isHTML else {
            throw ProductsFailure.malformed(detail: "HTML instead of JSON at \(collection.place)")
        }
        let isGraphQL = collection.isGraphQL
        reading.content = try await offLoop {
            if isGraphQL, let errors = JSONParser().graphQLErrors(in: response.body) {
                throw ProductsFailure.malformed(detail: "the upstream reports errors: \(errors)")
            }
            return CollectionContent(
                body: .document(response.body), digest: SHA256Digest(of: response.body),
                entityTag: response.headers["ETag"].flatMap { HTTPHeader.isSendable(value: $0) ? $0 : nil })
        }
        return reading
    }
}

/// Reads all pages of a collection in sequence, as one list of items.
///
/// If the collection changes while its pages are read, all pages are read again immediately. A collection that keeps
/// changing, or has a duplicate id, is refused.
package struct PaginatedCollectionDataSource: CollectionDataSource {
    package let collection: CollectionResource
    private let fetcher: any CollectionFetcher
    private let pagination: any Pagination

    package init(_ collection: CollectionResource, fetcher: any CollectionFetcher, pagination: any Pagination) {
        self.collection = collection
        self.fetcher = fetcher
        self.pagination = pagination
    }

    /// Reads all pages each time, since no validator covers all of them.
    package func read(
        unless entityTag: String?, adding headers: [HTTPHeader], wallClock: WallClock
    ) async throws -> CollectionReading {
        try await offLoop {
            do {
                return try await pages(headers, wallClock)
            } catch let error as PaginationError where error.isInconsistency {
                return try await pagesAgain(headers, wallClock, after: error)
            } catch let error as PaginationError {
                throw ProductsFailure(error)
            }
        }
    }

    /// Reads all pages a second time. An item on the same two pages both times has not moved: its id is a duplicate.
    private func pagesAgain(
        _ headers: [HTTPHeader], _ wallClock: WallClock, after first: PaginationError
    ) async throws -> CollectionReading {
        do {
            return try await pages(headers, wallClock)
        } catch let error as PaginationError {
            if case .movedItem(let id, let earlier, let page) = error, error == first {
                throw ProductsFailure.refused(.duplicateIDOnPages(id, first: earlier, second: page))
            }
            throw ProductsFailure(error)
        }
    }

    private func pages(_ headers: [HTTPHeader], _ wallClock: WallClock) async throws -> CollectionReading {
        var pages = PaginatedCollection(collection, fetcher: fetcher, pagination: pagination, headers: headers)
        var items: [JSONValue] = []
        var digests: [UInt8] = []
        var requestedAt = wallClock.now()
        var reading = CollectionReading(HTTPHeaders([]), requestedAt: requestedAt)
        while let page = try await pages.fetchNext() {
            items += page.items
            digests += page.digest.bytes
            reading.join(CollectionReading(page.headers, requestedAt: requestedAt))
            requestedAt = wallClock.now()
        }
        reading.content = CollectionContent(
            body: .items(items), digest: SHA256Digest(of: digests), entityTag: nil)
        return reading
    }
}
