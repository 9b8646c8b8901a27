internal import Concurrency
package import Hashing
package import JSON
package import Networking
internal import Products

/// Reads a collection of an upstream as a whole.
package protocol CollectionDataSource: Sendable {
    var collection: CollectionResource { get }

    /// Reads the collection.
    ///
    /// - Parameters:
    ///   - entityTag: the validator of the content that the caller has; nil without one.
    ///   - headers: sent with each request.
    /// - Returns: nil if the upstream says that the collection still is the one with this entity tag.
    /// - Throws: `ProductsFailure`, `HTTPClientError`, `CancellationError`.
    func read(unless entityTag: String?, adding headers: [HTTPHeader]) async throws -> CollectionContent?
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
    /// The validator of the content, where the upstream names one.
    package let entityTag: String?
}

/// Reads a collection that one response holds.
package struct PlainCollectionDataSource: CollectionDataSource {
    package let collection: CollectionResource
    private let fetcher: any CollectionFetcher

    package init(_ collection: CollectionResource, fetcher: any CollectionFetcher) {
        self.collection = collection
        self.fetcher = fetcher
    }

    package func read(unless entityTag: String?, adding headers: [HTTPHeader]) async throws -> CollectionContent? {
        let validators = entityTag.map { [HTTPHeader("If-None-Match", $0)] } ?? []
        let response = try await fetcher.fetch(collection.request(adding: validators + headers))
        if response.status == 304, entityTag != nil { return nil }
        guard response.status == 200 else { throw ProductsFailure(status: response) }
        guard !response.isHTML else {
            throw ProductsFailure.malformed(detail: "HTML instead of JSON at \(collection.place)")
        }
        return try await offLoop {
            CollectionContent(
                body: .document(response.body), digest: SHA256Digest(of: response.body),
                entityTag: response.headers["ETag"])
        }
    }
}

/// Reads all pages of a collection in sequence, as one list of items.
///
/// If the collection changes while its pages are read, all of them are read once more at once; a collection that goes on
/// changing is refused, and so is one with a duplicate id.
package struct PaginatedCollectionDataSource: CollectionDataSource {
    package let collection: CollectionResource
    private let fetcher: any CollectionFetcher
    private let pagination: any Pagination

    package init(_ collection: CollectionResource, fetcher: any CollectionFetcher, pagination: any Pagination) {
        self.collection = collection
        self.fetcher = fetcher
        self.pagination = pagination
    }

    /// Reads all pages each time: no validator stands for all of them.
    package func read(unless entityTag: String?, adding headers: [HTTPHeader]) async throws -> CollectionContent? {
        try await offLoop {
            do {
                return try await pages(headers)
            } catch let error as PaginationError where error.isInconsistency {
                return try await pagesAgain(headers, after: error)
            } catch let error as PaginationError {
                throw ProductsFailure(error)
            }
        }
    }

    /// Reads all pages a second time. An item on the same two pages both times has not moved: its id is a duplicate.
    private func pagesAgain(_ headers: [HTTPHeader], after first: PaginationError) async throws -> CollectionContent {
        do {
            return try await pages(headers)
        } catch let error as PaginationError {
            if case .movedItem(let id, let earlier, let page) = error, error == first {
                throw ProductsFailure.refused(.duplicateIDOnPages(id, first: earlier, second: page))
            }
            throw ProductsFailure(error)
        }
    }

    private func pages(_ headers: [HTTPHeader]) async throws -> CollectionContent {
        var pages = PaginatedCollection(collection, fetcher: fetcher, pagination: pagination, headers: headers)
        var items: [JSONValue] = []
        var digests: [UInt8] = []
        while let page = try await pages.fetchNext() {
            items += page.items
            digests += page.digest.bytes
        }
        return CollectionContent(body: .items(items), digest: SHA256Digest(of: digests), entityTag: nil)
    }
}
