internal import HTTPServer
internal import struct Synchronization.Atomic

/// The bytes of answers that were made for single questions and are still there: kept to be sent again, or on their way
/// to clients, which may take their time.
///
/// A cache bounds what it keeps alone. Who reads slowly holds what no cache keeps any more, so this is counted from the
/// making of an answer until the last connection is done with it, over all revisions and configs of the process.
package final class ResponseMemory: Sendable {
    /// Some of the bytes, which count as long as somebody holds this.
    final class Claim: Sendable {
        private let count: Int
        private let isShared: Bool
        private let living: ResponseMemory

        fileprivate init(_ count: Int, isShared: Bool = false, of living: ResponseMemory) {
            self.count = count
            self.isShared = isShared
            self.living = living
        }

        deinit {
            if isShared {
                living.shared.wrappingSubtract(count, ordering: .relaxed)
            } else {
                living.claimed.wrappingSubtract(count, ordering: .relaxed)
            }
        }
    }

    /// The bytes that may be claimed beside the caches at least, however small the catalogue is.
    let allowance: Int
    private let claimed = Atomic(0)
    private let slowReaders: SlowReaders?
    private let shared = Atomic(0)

    /// - Parameter slowReaders: the connections that may be closed to free bytes; nil for none.
    init(allowance: Int = 64 << 20, slowReaders: SlowReaders? = nil) {
        self.allowance = allowance
        self.slowReaders = slowReaders
    }

    /// How many bytes are claimed.
    var count: Int { claimed.load(ordering: .relaxed) }

    /// Closes connections of slow readers until `count` more bytes fit below `limit`, with a sixteenth of it to spare.
    /// It may free less when there are no more slow readers.
    func makeRoom(for count: Int, upTo limit: Int) async {
        guard let slowReaders, self.count + count > limit else { return }
        await slowReaders.release {
            let missing = self.count + count - limit
            return missing > 0 ? missing + limit / 16 : 0
        }
    }

    /// How many bytes of whole catalogues, which all clients share, are there, those of replaced revisions included that
    /// are still being sent.
    var sharedCount: Int { shared.load(ordering: .relaxed) }

    /// Counts bytes of a whole catalogue until the claim is released. They have no limit: every client is to get them.
    func shared(_ count: Int) -> Claim {
        shared.wrappingAdd(count, ordering: .relaxed)
        return Claim(count, isShared: true, of: self)
    }

    /// Has bytes counted from now on.
    /// - Throws: when there would be more than the limit.
    func claim(_ count: Int, upTo limit: Int) throws(ResponseMemoryExhausted) -> Claim {
        guard claimed.wrappingAdd(count, ordering: .relaxed).newValue <= limit else {
            claimed.wrappingSubtract(count, ordering: .relaxed)
            throw ResponseMemoryExhausted()
        }
        return Claim(count, of: self)
    }
}

/// How much room there is for answers that are made about one catalogue, beside the bytes that all its clients share.
struct ResponseMemoryBudget: Sendable {
    let living: ResponseMemory
    /// How many bytes of such answers there may be, those about other revisions included.
    let limit: Int

    /// An answer, counted as long as anybody holds its body.
    /// - Parameters:
    ///   - known: an answer that takes no room when it is what `make` gives: it is shared, or counted already.
    ///   - make: not called when there is no room for anything.
    /// - Throws: `ResponseMemoryExhausted`, or what `make` throws.
    func answer(besides known: CachedResponse? = nil, make: () throws -> CachedResponse) async throws -> CachedResponse
    {
        await living.makeRoom(for: 1, upTo: limit)
        guard living.count < limit else { throw ResponseMemoryExhausted() }
        let answer = try make()
        if answer === known { return answer }
        let size = answer.representation.body.count
        await living.makeRoom(for: size, upTo: limit)
        return answer.holding(try living.claim(size, upTo: limit))
    }
}

/// Clients hold as many bytes of answers as memory has room for, so that no other can be made for now.
struct ResponseMemoryExhausted: HTTPResponseError {
    /// A 503 like that of a server with too many requests: it passes as soon as others have read what they asked for.
    var response: HTTPResponse {
        ProblemDetails(status: .serviceUnavailable, detail: "Too many answers are on their way.")
            .response(headers: ["Retry-After": "1"])
    }
}

/// Frees memory by cutting off the clients that read their answers most slowly.
///
/// Such clients would otherwise keep new answers from being made for anybody: each holds an answer of its own for as
/// long as it likes to read.
package actor SlowReaders {
    private var reset: (@Sendable (_ wanted: Int) async -> Int)?
    /// The release that was asked for last.
    private var last: Task<Void, Never>?

    package init() {}

    /// Sets how clients are cut off: by a function that resets the slowest until the wanted bytes are released, and
    /// returns how many were.
    package func cut(by reset: @escaping @Sendable (_ wanted: Int) async -> Int) {
        self.reset = reset
    }

    /// Cuts clients off until no bytes are missing, or none is left to be cut off. Releases run one at a time, so that
    /// many that are asked for at once do not cut off more than one of them would.
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
