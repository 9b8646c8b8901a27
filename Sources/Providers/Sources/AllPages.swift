internal import Crypto
internal import FoundationEssentials
internal import JSON
internal import Networking
internal import Products

/// All pages of a collection, read one after the other, as one list of items.
///
/// An upstream that changes while its pages are read is asked for all of them once more, at once; one that goes on
/// changing is refused.
struct AllPages: Sendable {
    /// What all pages together are.
    struct Content: Sendable {
        /// In the order of the pages.
        var items: [JSONValue]
        /// Of all bodies.
        var digest: SHA256Digest
    }

    let fetcher: CollectionFetcher
    let pagination: any Pagination
    let idPath: JSONPath

    /// - Throws: `ProductsFailure`, `HTTPClientError`, `CancellationError`.
    func read() async throws -> Content {
        do {
            return try await readOnce()
        } catch let error as PaginationError where error.isInconsistency {
            return try await readAgain()
        } catch let error as PaginationError {
            throw ProductsFailure(error)
        }
    }

    private func readAgain() async throws -> Content {
        do {
            return try await readOnce()
        } catch let error as PaginationError {
            throw ProductsFailure(error)
        }
    }

    private func readOnce() async throws -> Content {
        var collection = PaginatedCollection(fetcher: fetcher, pagination: pagination, idPath: idPath)
        var items: [JSONValue] = []
        var digests = SHA256()
        while let page = try await collection.fetchNext() {
            items += page.items
            digests.update(data: Array(page.digest))
        }
        return Content(items: items, digest: digests.finalize())
    }
}
