internal import Concurrency
internal import HTTPServer
internal import Products
internal import Querying
internal import struct Synchronization.Atomic

/// Counts the bytes of responses that were made for single queries and are still in memory.
///
/// A cache bounds only its own contents. Slow readers retain responses that the cache has evicted, so bytes count from
/// creation until the last connection has sent them, over all revisions and editions of the process.
final class ResponseMemory: Sendable {
    /// A number of bytes that count until this is released.
    final class Claim: Sendable {
        private let count: Int
        private let isShared: Bool
        private let memory: ResponseMemory

        fileprivate init(_ count: Int, isShared: Bool = false, of memory: ResponseMemory) {
            self.count = count
            self.isShared = isShared
            self.memory = memory
        }

        deinit {
            if isShared {
                memory.shared.wrappingSubtract(count, ordering: .relaxed)
            } else {
                memory.claimed.wrappingSubtract(count, ordering: .relaxed)
            }
        }
    }

    /// The bytes that may be claimed in addition to the caches, however small the catalogue is.
    let allowance: Int
    private let claimed = Atomic(0)
    private let slowReaders: SlowReaders?
    private let shared = Atomic(0)

    /// - Parameter slowReaders: the connections that may be closed to free bytes; nil for none.
    init(allowance: Int = 64 << 20, slowReaders: SlowReaders? = nil) {
        self.allowance = allowance
        self.slowReaders = slowReaders
    }

    /// The claimed bytes.
    var count: Int { claimed.load(ordering: .relaxed) }

    /// Closes connections of slow readers until `count` more bytes fit below `limit`, with a sixteenth of it to spare.
    /// It may free less if there are not enough slow readers.
    func makeRoom(for count: Int, upTo limit: Int) async {
        guard let slowReaders, self.count + count > limit else { return }
        await slowReaders.release {
            let missing = self.count + count - limit
            return missing > 0 ? missing + limit / 16 : 0
        }
    }

    /// The bytes of whole catalogues, which all clients share, including replaced revisions that are still being sent.
    var sharedCount: Int { shared.load(ordering: .relaxed) }

    /// Counts bytes of a whole catalogue until the claim is released. They have no limit, since every client gets them.
    func shared(_ count: Int) -> Claim {
        shared.wrappingAdd(count, ordering: .relaxed)
        return Claim(count, isShared: true, of: self)
    }

    /// Counts bytes until the claim is released.
    /// - Throws: `ResponseMemoryExhausted` beyond the limit.
    func claim(_ count: Int, upTo limit: Int) throws(ResponseMemoryExhausted) -> Claim {
        guard claimed.wrappingAdd(count, ordering: .relaxed).newValue <= limit else {
            claimed.wrappingSubtract(count, ordering: .relaxed)
            throw ResponseMemoryExhausted()
        }
        return Claim(count, of: self)
    }
}

/// The memory for responses to single queries of one catalogue.
struct ResponseMemoryBudget: Sendable {
    let memory: ResponseMemory
    /// The most bytes of such responses, including those of other revisions.
    let limit: Int

    /// Makes a response, whose bytes count until its body is released.
    /// - Parameters:
    ///   - known: a response that is counted already, and not counted again if `make` returns it.
    ///   - make: not called when there is no room at all.
    /// - Throws: `ResponseMemoryExhausted`, or what `make` throws.
    func response(besides known: CachedResponse? = nil, make: () throws -> CachedResponse) async throws
        -> CachedResponse
    {
        await memory.makeRoom(for: 1, upTo: limit)
        guard memory.count < limit else { throw ResponseMemoryExhausted() }
        let response = try make()
        if response === known { return response }
        let body = response.representation.body
        await memory.makeRoom(for: body.count, upTo: limit)
        return response.with(body.holding(try memory.claim(body.count, upTo: limit)))
    }
}

/// Unread responses have used up the memory for responses.
struct ResponseMemoryExhausted: HTTPResponseError {
    /// 503 with a second to wait, since memory becomes free as soon as clients read.
    var response: HTTPResponse {
        ProblemDetails(status: .serviceUnavailable, detail: "Too many responses are in flight.")
            .response(headers: ["Retry-After": "1"])
    }
}

/// Frees memory by resetting the slowest connections, which would otherwise use up the memory for new responses.
package actor SlowReaders {
    private var reset: (@Sendable (_ wanted: Int) async -> Int)?
    /// The last requested release.
    private var last: Task<Void, Never>?

    package init() {}

    /// Sets the function that resets the slowest connections until this many bytes are released, and returns the number
    /// released.
    package func cut(by reset: @escaping @Sendable (_ wanted: Int) async -> Int) {
        self.reset = reset
    }

    /// Resets connections until no bytes are missing or none is left. Releases run one at a time, so that concurrent
    /// ones do not reset more connections than one would.
    func release(missing: @escaping @Sendable () -> Int) async {
        guard let reset else { return }
        let previous = last
        let release = Task {
            await previous?.value
            while case let wanted = missing(), wanted > 0 {
                guard await reset(wanted) > 0 else { return }
            }
        }
        last = release
        await release.value
    }
}

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
