internal import Concurrency
internal import EventLoop
package import HTTPServer
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
            (self.count, self.isShared, self.memory) = (count, isShared, memory)
        }

        deinit {
            if isShared {
                memory.shared.wrappingSubtract(count, ordering: .relaxed)
            } else {
                memory.claimed.wrappingSubtract(count, ordering: .relaxed)
            }
        }
    }

    /// The bytes of replaced catalogues that slow readers may keep.
    static let replacedLimit = 8 << 20
    /// The pause between searches for slow readers of replaced catalogues.
    static let pause = Duration.milliseconds(500)
    /// The bytes that may be claimed in addition to the caches, however small the catalogue is.
    let allowance: Int
    private let claimed = Atomic(0)
    private let slowReaders: SlowReaders?
    private let shared = Atomic(0)
    private let wholes = Mutex(WholeCatalogues())
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - slowReaders: the connections that may be closed to free bytes; nil for none.
    ///   - clock: times the search for slow readers.
    init(
        allowance: Int = 64 << 20, slowReaders: SlowReaders? = nil, clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.allowance, self.slowReaders, self.clock) = (allowance, slowReaders, clock)
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

    /// Counts the bytes of a whole catalogue until the claim is released. They have no limit until it is replaced, since
    /// every client gets them.
    /// - Parameter presence: released when the catalogue is replaced.
    func shared(_ body: HTTPBody, as presence: any AnyObject & Sendable) -> Claim {
        shared.wrappingAdd(body.count, ordering: .relaxed)
        let claim = Claim(body.count, isShared: true, of: self)
        wholes.withLock { $0.add(WholeCatalogue(claim: claim, presence: presence, place: body.place)) }
        return claim
    }

    /// Returns the memory of replaced catalogues to the system. While slow readers keep more than ``replacedLimit`` bytes of
    /// them, the readers of the oldest catalogues are reset first.
    func giveBack() {
        ProcessMemory.giveBack()
        guard let slowReaders, wholes.withLock({ $0.beginSearch(beyond: Self.replacedLimit) }) else { return }
        Task {
            while wholes.withLock({ $0.goOn(beyond: Self.replacedLimit) }) {
                for place in wholes.withLock(\.replaced) where wholes.withLock({ $0.isBeyond(Self.replacedLimit) }) {
                    await slowReaders.release(place)
                }
                try? await clock.sleep(for: Self.pause)
            }
        }
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

/// A response with a whole catalogue, which exists as long as its claim.
private struct WholeCatalogue: Sendable {
    weak let claim: ResponseMemory.Claim?
    /// The object that is released when the catalogue is replaced.
    weak let presence: (any AnyObject & Sendable)?
    let place: HTTPBodyPlace
}

/// The responses with whole catalogues, the oldest first.
private struct WholeCatalogues: Sendable {
    private var all: [WholeCatalogue] = []
    /// Whether slow readers are searched for.
    private var isSearched = false

    mutating func add(_ whole: WholeCatalogue) {
        all.removeAll { $0.claim == nil }
        all.append(whole)
    }

    /// The places of responses that only readers keep.
    var replaced: [HTTPBodyPlace] { all.filter { $0.claim != nil && $0.presence == nil }.map(\.place) }

    /// Whether readers keep more bytes.
    func isBeyond(_ limit: Int) -> Bool { replaced.reduce(0) { $0 + $1.count } > limit }

    /// Begins a search for slow readers if one is needed and none runs.
    mutating func beginSearch(beyond limit: Int) -> Bool { !isSearched && goOn(beyond: limit) }

    /// Whether the search goes on. At its end the next replacement may begin another one.
    mutating func goOn(beyond limit: Int) -> Bool {
        isSearched = isBeyond(limit)
        return isSearched
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
    private var resetReaders: (@Sendable (_ body: HTTPBodyPlace) async -> Void)?
    /// The last requested release.
    private var last: Task<Void, Never>?

    package init() {}

    /// Sets the function that resets the slowest connections until this many bytes are released, and returns the number
    /// released.
    ///
    /// - Parameter resetReaders: resets the readers of a body that take too long for it.
    package func cut(
        of resetReaders: @escaping @Sendable (_ body: HTTPBodyPlace) async -> Void = { _ in },
        by reset: @escaping @Sendable (_ wanted: Int) async -> Int
    ) {
        (self.reset, self.resetReaders) = (reset, resetReaders)
    }

    /// Resets the readers of a replaced body that take too long for it.
    func release(_ body: HTTPBodyPlace) async {
        await resetReaders?(body)
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

extension ListingMemory {
    init(of listings: [EncodedListing], _ memory: ResponseMemory, _ served: ServedRevisions) {
        self.init(
            catalogues: listings.reduce(0) { $0 + $1.catalogue.encoded.count }, encodings: memory.sharedCount,
            responses: memory.count, differences: served.byteCount,
            indexes: listings.reduce(0) { $0 + $1.index.byteCount })
    }
}
