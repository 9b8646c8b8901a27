internal import Concurrency
package import HTTPServer
internal import Products

/// Streams the revisions that come into force, one feed for each variant of the requests.
///
/// The streams end with the edition of the config; clients come back with `Last-Event-ID`.
package final class RevisionFeeds: Sendable {
    /// The requests that get the same catalogue.
    private enum Key: Hashable {
        case variant(Int)
        case headers([String: String])
    }

    private struct Entry {
        let feed: RevisionFeed
        /// The number of its streams.
        var streams: Int
    }

    /// The most variants that have numbers of their own for certain.
    private static let mostVariants = 1024

    private let responses: ResponseCache
    private let history: RevisionHistory
    private let clock: any Clock<Duration>
    private let entries = Mutex<[Key: Entry]>([:])
    /// The publications whose ends cause polls, by variant. They outlive the feeds, so that reconnecting clients do not
    /// accumulate handlers.
    private let watched = Mutex<[Int: Watched]>([:])

    private struct Watched {
        weak var publication: CataloguePublication?
    }

    package init(responses: ResponseCache, history: RevisionHistory, clock: any Clock<Duration>) {
        self.responses = responses
        self.history = history
        self.clock = clock
    }

    deinit {
        for entry in entries.withLock({ Array($0.values) }) { entry.feed.close() }
    }

    /// Begins a stream.
    /// - Parameters:
    ///   - known: the last revision that the client has; nil without one.
    ///   - listing: the graph's products for the request; nil if it has none yet.
    package func stream(to request: HTTPRequest, from known: String?, at listing: EncodedListing?) async -> HTTPResponse
    {
        let key = key(of: request)
        // A poll is not a caller's request, so analytics do not count it.
        let headers = responses.consulted.products(request).headers
        let variant = responses.consulted.variance.variant(of: request)
        let feed = entries.withLock { entries in
            let feed =
                entries[key]?.feed
                ?? RevisionFeed(history: history, clock: clock) { [weak self, responses] in
                    let poll = ProductsRequest(headers: headers, analyticsOptOut: true)
                    guard let found = try? await responses.current(for: poll, variant: variant) else { return nil }
                    if let publication = responses.publication(for: variant) { self?.watch(publication, variant) }
                    return RevisionFeed.ServedListing(listing: found.encoded, isKept: found.answer.isHit)
                }
            entries[key, default: Entry(feed: feed, streams: 0)].streams += 1
            return feed
        }
        return await feed.stream(from: known, at: listing) { [weak self] in self?.leave(key) }
    }

    /// Makes the feed of a variant poll when a publication is replaced, so that its successor is sent at once.
    private func watch(_ publication: CataloguePublication, _ variant: Int) {
        let isNew = watched.withLock { watched in
            guard watched[variant]?.publication !== publication else { return false }
            watched[variant] = Watched(publication: publication)
            return true
        }
        guard isNew else { return }
        publication.whenReleased { [weak self] in
            let feed = self?.entries.withLock { $0[.variant(variant)]?.feed }
            if let feed { Task.detached { await feed.look() } }
        }
    }

    private func key(of request: HTTPRequest) -> Key {
        let variance = responses.consulted.variance
        guard variance.variants > Self.mostVariants else { return .variant(variance.variant(of: request)) }
        return .headers(responses.consulted.products(request).headers)
    }

    private func leave(_ key: Key) {
        // The feed is released outside the lock.
        _ = entries.withLock { entries -> RevisionFeed? in
            entries[key]?.streams -= 1
            guard let entry = entries[key], entry.streams <= 0 else { return nil }
            return entries.removeValue(forKey: key)?.feed
        }
    }
}
