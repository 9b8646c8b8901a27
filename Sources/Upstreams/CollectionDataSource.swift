package import Concurrency
package import Decoding
internal import FoundationEssentials
internal import Hashing
internal import JSON
package import Networking
internal import Products

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

/// Reads a collection from a single response.
package struct PlainCollectionDataSource: CollectionDataSource {
    package let collection: CollectionResource
    private let fetcher: any CollectionFetcher
    private let format: DocumentFormat

    /// - Parameter format: of the response's body.
    package init(
        _ collection: CollectionResource, fetcher: any CollectionFetcher, format: DocumentFormat = .json
    ) {
        (self.collection, self.fetcher, self.format) = (collection, fetcher, format)
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
        // Only JSON is checked here. XML resembles HTML, and media types are unreliable, so the readers of other
        // formats detect HTML themselves.
        guard format != .json || !response.isHTML else {
            throw ProductsFailure.malformed(detail: "HTML instead of JSON at \(collection.place)")
        }
        let isGraphQL = collection.isGraphQL
        reading.content = try await offLoop {
            if isGraphQL, let errors = JSONParser().graphQLErrors(in: response.body) {
                throw ProductsFailure.malformed(detail: "the upstream reports errors: \(errors)")
            }
            return CollectionContent(
                body: .document(response.body), digest: ContentDigest(of: response.body),
                entityTag: response.headers["ETag"].flatMap { HTTPHeader.isSendable(value: $0) ? $0 : nil },
                total: response.headers.statedTotal)
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
        (self.collection, self.fetcher, self.pagination) = (collection, fetcher, pagination)
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

    /// - Parameter inspect: called with each page.
    fileprivate func pages(
        _ headers: [HTTPHeader], _ wallClock: WallClock, inspect: (CollectionPage) throws -> Void = { _ in }
    ) async throws -> CollectionReading {
        var pages = PaginatedCollection(collection, fetcher: fetcher, pagination: pagination, headers: headers)
        var items: [JSONValue] = []
        var digests: [UInt8] = []
        var requestedAt = wallClock.now()
        var reading = CollectionReading(HTTPHeaders([]), requestedAt: requestedAt)
        while let page = try await pages.fetchNext() {
            try inspect(page)
            items += page.items
            digests += page.digest.bytes
            reading.join(CollectionReading(page.headers, requestedAt: requestedAt))
            requestedAt = wallClock.now()
        }
        reading.content = CollectionContent(
            body: .items(items), digest: ContentDigest(of: digests), entityTag: nil)
        return reading
    }
}

/// Reads all pages of a collection at first and at intervals, and otherwise only the changes.
///
/// A removed item is noticed by the next whole reading. That follows at once if the upstream states a total other than
/// the number of items, if the changes are inconsistent, or if a refresh revalidates. A failed reading leaves the kept
/// items.
package final class ChangesCollectionDataSource: CollectionDataSource {
    private let whole: PaginatedCollectionDataSource
    private let fetcher: any CollectionFetcher
    private let pagination: SincePagination
    private let fullEvery: Duration
    private let uptime: Uptime
    /// The items, and the uptime of the last whole reading.
    private let kept = Mutex<(items: KeptItems, readAt: Duration)?>(nil)

    /// - Parameter fullEvery: the time from one whole reading to the next.
    package init(
        _ collection: CollectionResource, fetcher: any CollectionFetcher, pagination: SincePagination,
        fullEvery: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) {
        whole = PaginatedCollectionDataSource(collection, fetcher: fetcher, pagination: pagination)
        (self.fetcher, self.pagination, self.fullEvery) = (fetcher, pagination, fullEvery)
        uptime = Uptime(of: clock)
    }

    package var collection: CollectionResource { whole.collection }

    package func read(
        unless entityTag: String?, adding headers: [HTTPHeader], wallClock: WallClock
    ) async throws -> CollectionReading {
        let now = uptime.now
        if let (items, readAt) = kept.withLock({ $0 }), now - readAt < fullEvery,
            !headers.contains(where: { $0.name == "Cache-Control" }),
            let (reading, completed) = try await offLoop({ try await self.changes(of: items, headers, wallClock) })
        {
            kept.withLock { $0 = (completed, readAt) }
            return reading
        }
        let reading = try await whole.read(unless: nil, adding: headers, wallClock: wallClock)
        if let content = reading.content, case .items(let items) = content.body {
            let new = KeptItems(items, digest: content.digest, of: collection, by: pagination.field)
            kept.withLock { $0 = new.map { ($0, now) } }
        }
        return reading
    }

    /// Reads the changes; nil if the items have to be read as a whole.
    private func changes(
        of kept: KeptItems, _ headers: [HTTPHeader], _ wallClock: WallClock
    ) async throws -> (CollectionReading, KeptItems)? {
        let source = PaginatedCollectionDataSource(
            collection, fetcher: fetcher, pagination: pagination.beyond(kept.start))
        var total: Int?
        do {
            var reading = try await source.pages(headers, wallClock) { total = try pagination.extent(of: $0).total }
            guard let content = reading.content, case .items(let changes) = content.body,
                let completed = kept.completed(by: changes, digest: content.digest),
                total ?? completed.items.count == completed.items.count
            else { return nil }
            reading.content = CollectionContent(
                body: .items(completed.items), digest: completed.digest, entityTag: nil)
            return (reading, completed)
        } catch let error as PaginationError {
            // Without the last items an upstream may give the first page of changes again.
            guard case .status = error else { return nil }
            throw ProductsFailure(error)
        }
    }
}
