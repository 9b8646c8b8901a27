internal import Hashing
internal import FoundationEssentials
internal import JSON
internal import Networking
internal import Products

/// Reads all pages of a collection in sequence, as one list of items.
///
/// If the collection changes while its pages are read, all of them are read once more at once; a collection that goes on
/// changing is refused, and so is one with a duplicate id.
struct AllPages: Sendable {
    /// The content of all pages together.
    struct Content: Sendable {
        /// The items, in the order of the pages.
        var items: [JSONValue]
        /// The digest of all bodies.
        var digest: SHA256Digest
    }

    let fetcher: CollectionFetcher
    let pagination: any Pagination
    let idPaths: [JSONPath]
    /// Sent with the request for each page.
    var headers: [HTTPHeader] = []

    /// - Throws: `ProductsFailure`, `HTTPClientError`, `CancellationError`.
    func read() async throws -> Content {
        do {
            return try await readOnce()
        } catch let error as PaginationError where error.isInconsistency {
            return try await readAgain(after: error)
        } catch let error as PaginationError {
            throw ProductsFailure(error)
        }
    }

    /// Reads all pages a second time. An item on the same two pages both times has not moved: its id is a duplicate.
    private func readAgain(after first: PaginationError) async throws -> Content {
        do {
            return try await readOnce()
        } catch let error as PaginationError {
            if case .movedItem(let id, let earlier, let page) = error, error == first {
                throw ProductsFailure.refused(.duplicateIDOnPages(id, first: earlier, second: page))
            }
            throw ProductsFailure(error)
        }
    }

    private func readOnce() async throws -> Content {
        var collection = PaginatedCollection(
            fetcher: fetcher, pagination: pagination, idPaths: idPaths, headers: headers)
        var items: [JSONValue] = []
        var digests: [UInt8] = []
        while let page = try await collection.fetchNext() {
            items += page.items
            digests += page.digest.bytes
        }
        return Content(items: items, digest: SHA256Digest(of: digests))
    }
}
