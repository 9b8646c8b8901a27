internal import Concurrency
internal import HTTPServer
internal import Products
internal import Querying

/// Keeps the most recently used responses of one revision, by coding. Concurrent requests share the making of a
/// response, which runs off the event loops.
final class CachedResponses: Sendable {
    private struct CodedKey: Hashable {
        var key: CacheKey
        var coding: ContentCoding
    }

    private struct Entry {
        let response: CachedResponse
        let size: Int
        /// The number of the look-up that last found it.
        var lastUse: Int
    }

    private struct State {
        var kept: [CodedKey: Entry] = [:]
        var running: [CodedKey: Task<CachedResponse, any Error>] = [:]
        var byteCount = 0
        var lookUps = 0
    }

    private enum Found {
        case kept(CachedResponse)
        case running(Task<CachedResponse, any Error>)
    }

    private let capacity: Int
    /// The most bytes of kept responses and their keys.
    let byteLimit: Int
    private let state = Mutex(State())

    /// - Parameter capacity: the most responses that are kept.
    init(capacity: Int = 256, byteLimit: Int) {
        self.capacity = capacity
        self.byteLimit = byteLimit
    }

    /// The response for a key in a coding; nil if it has to be made.
    subscript(key: CacheKey, coding: ContentCoding) -> CachedResponse? {
        state.withLock { Self.kept(CodedKey(key: key, coding: coding), &$0) }
    }

    /// The response for a key in a coding, made by `make` if it is not kept.
    /// - Throws: the error of `make`, which is not kept.
    func response(
        to key: CacheKey, _ coding: ContentCoding,
        make: @escaping @Sendable () async throws -> CachedResponse
    ) async throws -> CachedResponse {
        switch state.withLock({ find(CodedKey(key: key, coding: coding), &$0, make) }) {
        case .kept(let response): response
        case .running(let task): try await task.value
        }
    }

    private func find(
        _ key: CodedKey, _ state: inout State, _ make: @escaping @Sendable () async throws -> CachedResponse
    ) -> Found {
        if let kept = Self.kept(key, &state) { return .kept(kept) }
        if let running = state.running[key] { return .running(running) }
        let task = Task.detached { [self] in
            do {
                let response = try await make()
                finish(key, response)
                return response
            } catch {
                finish(key, nil)
                throw error
            }
        }
        state.running[key] = task
        return .running(task)
    }

    private static func kept(_ key: CodedKey, _ state: inout State) -> CachedResponse? {
        state.lookUps += 1
        state.kept[key]?.lastUse = state.lookUps
        return state.kept[key]?.response
    }

    private func finish(_ key: CodedKey, _ made: CachedResponse?) {
        state.withLock { state in
            state.running[key] = nil
            if let made { keep(made, key, &state) }
        }
    }

    private func keep(_ response: CachedResponse, _ key: CodedKey, _ state: inout State) {
        let size = response.representation.body.count + key.key.approximateSize
        guard capacity > 0, size <= byteLimit else { return }
        state.kept[key] = Entry(response: response, size: size, lastUse: state.lookUps)
        state.byteCount += size
        while state.kept.count > capacity || state.byteCount > byteLimit { forgetOldest(&state) }
    }

    private func forgetOldest(_ state: inout State) {
        guard let oldest = state.kept.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        state.byteCount -= oldest.value.size
        state.kept[oldest.key] = nil
    }
}

/// The form of a difference for clients.
package enum ChangesForm: Sendable, Hashable {
    /// A document with whole products.
    case document
    /// An event with ids.
    case event
}

/// A request for a part of a revision.
enum CacheKey: Sendable, Hashable {
    /// The products that a query finds.
    case page(ProductsQuery)
    /// One product, by its position in the catalogue.
    case product(Int, ProductsForm, fields: ProductFields?)
    /// The tree of categories.
    case categories(CategoriesQuery)
    /// The difference from another revision.
    case changes(since: String, ChangesForm)

    /// Roughly the bytes of memory that the key takes.
    var approximateSize: Int {
        switch self {
        case .page(let query): query.approximateSize
        case .categories(let query): query.under?.utf8.count ?? 0
        case .product(_, _, let fields): ProductsQuery(fields: fields).approximateSize
        case .changes(let revision, _): revision.utf8.count
        }
    }
}
