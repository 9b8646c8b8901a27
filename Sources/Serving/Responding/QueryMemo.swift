internal import Concurrency
internal import Querying

/// Keeps the queries that a route has read last, since reading one costs more than the rest of a cached response.
final class QueryMemo: Sendable {
    private static let capacity = 256
    /// The longest text that is kept.
    private static let longest = 512

    /// The queries by their texts as they came, compared by their bytes.
    private let kept = Mutex<[ExactText: ProductsQuery]>([:])

    /// Returns the query of a text.
    /// - Parameter read: reads it if it is not kept.
    func query(_ text: String, read: () throws -> ProductsQuery) rethrows -> ProductsQuery {
        guard text.utf8.count <= Self.longest else { return try read() }
        let key = ExactText(text)
        if let query = kept.withLock({ $0[key] }) { return query }
        let query = try read()
        kept.withLock { kept in
            if kept.count == Self.capacity { kept.removeAll(keepingCapacity: true) }
            kept[key] = query
        }
        return query
    }
}
