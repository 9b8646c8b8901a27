internal import Concurrency
internal import CoreMetrics
internal import HTTPServer
internal import Products

/// An answer of a lease with its encoded catalogue, and what the responses of a loop within one second have in common.
final class LeasedAnswer: Sendable {
    let lease: ProductsLease
    let answer: ProductsAnswer
    let isStale: Bool
    let encoded: EncodedListing
    /// Counts the answer.
    let counter: Counter
    let second: Int
    /// The generation of the listings in which `encoded` was found.
    let generation: Int
    private let identity = LazyReference<WholeResponse>()
    private let gzip = LazyReference<WholeResponse>()

    init(_ part: LeasedPart, encoded: EncodedListing, counter: Counter, second: Int, generation: Int) {
        (lease, answer, isStale) = (part.lease, part.answer, part.isStale)
        (self.encoded, self.counter, self.second, self.generation) = (encoded, counter, second, generation)
    }

    /// The responses with the whole catalogue in a coding, made once; nil if it is not encoded so yet.
    func whole(
        _ coding: ContentCoding, make: (CachedResponse) throws -> WholeResponse
    ) rethrows -> WholeResponse? {
        if let kept = coding == .gzip ? gzip.value : identity.value { return kept }
        guard case .ready(let found) = encoded.response(to: nil, coding) else { return nil }
        let made = try make(found)
        return coding == .gzip ? gzip.keep(made) : identity.keep(made)
    }
}

/// The responses with the whole catalogue in a coding.
final class WholeResponse: Sendable {
    let entityTag: String
    let found, notModified: HTTPResponse

    init(entityTag: String, found: HTTPResponse, notModified: HTTPResponse) {
        (self.entityTag, self.found, self.notModified) = (entityTag, found, notModified)
    }
}

/// Keeps the lease of the last answer to each variant of the requests, on each event loop, with its last answer.
///
/// A withdrawn lease is renewed or dropped at once, so that it does not retain its catalogue. Each loop has a row of
/// its own, as far as `ThreadStripe` distinguishes threads, so loops seldom contend for a lock.
final class LeaseTable: Sendable {
    enum Place: Sendable {
        case none
        case lease(ProductsLease)
        case answer(LeasedAnswer)

        /// The lease for requests of the variant; nil if they have to ask the graph.
        var lease: ProductsLease? {
            switch self {
            case .none: nil
            case .lease(let lease): lease
            case .answer(let answer): answer.lease
            }
        }
    }

    private typealias Row = CacheLinePadded<Mutex<[Place]>>

    /// The most variants; a graph with more is asked for every request.
    private static let most = 1024
    private let rows: InlineArray<8, Row>

    /// - Parameter variants: the number of variants of the requests.
    init(variants: Int) {
        let count = variants <= Self.most ? variants : 0
        rows = InlineArray { _ in Row(Mutex(Array(repeating: .none, count: count))) }
    }

    func kept(for variant: Int) -> Place {
        rows[ThreadStripe.own].content.withLock { $0.indices.contains(variant) ? $0[variant] : .none }
    }

    /// Keeps the lease that came with the answer to a request of this variant. It replaces another one.
    func keep(_ lease: ProductsLease?, for variant: Int) {
        if let lease { keep(lease, for: variant, in: ThreadStripe.own) }
    }

    /// Keeps an answer as long as its lease is kept.
    func keep(_ answer: LeasedAnswer, for variant: Int) {
        // What is replaced is released outside the lock: it may hold the last reference to a catalogue.
        _ = rows[ThreadStripe.own].content.withLock { places -> Place in
            // An answer retains its listing, beyond the bound of the cache if that does not keep all of them.
            guard places.count <= ListingCache.mostVariants, places.indices.contains(variant),
                places[variant].lease === answer.lease
            else { return .none }
            defer { places[variant] = .answer(answer) }
            return places[variant]
        }
    }

    private func keep(_ lease: ProductsLease, for variant: Int, in row: Int) {
        let replaced = rows[row].content.withLock { places -> Place in
            guard places.indices.contains(variant) else { return .lease(lease) }
            defer { places[variant] = .lease(lease) }
            return places[variant]
        }
        guard replaced.lease?.publication !== lease.publication else { return }
        lease.publication.whenReleased { [weak self] in self?.renew(variant, in: row) }
    }

    /// Renews a withdrawn lease, so that a refresh of the catalogue does not send requests to the graph, where they
    /// would fail if all places for waiting requests are taken. Drops the lease if it cannot be renewed.
    private func renew(_ variant: Int, in row: Int) {
        let withdrawn = rows[row].content.withLock { places -> Place in
            guard let lease = places[variant].lease, !lease.publication.isCurrent else { return .none }
            defer { places[variant] = .none }
            return places[variant]
        }
        if let renewed = withdrawn.lease?.renewed() { keep(renewed, for: variant, in: row) }
    }
}
