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
    private let following = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter changes: yields when the graph may serve another catalogue.
    package init(
        responses: ResponseCache, history: RevisionHistory, following changes: AsyncStream<Void>,
        clock: any Clock<Duration>
    ) {
        self.responses = responses
        self.history = history
        self.clock = clock
        following.withLock { following in
            following = Task.detached { [weak self] in for await _ in changes { self?.look() } }
        }
    }

    deinit {
        following.withLock { $0?.cancel() }
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
                ?? RevisionFeed(history: history, clock: clock) { [responses] in
                    let poll = ProductsRequest(headers: headers, analyticsOptOut: true)
                    return try? await responses.current(for: poll, variant: variant).encoded
                }
            entries[key, default: Entry(feed: feed, streams: 0)].streams += 1
            return feed
        }
        return await feed.stream(from: known, at: listing) { [weak self] in self?.leave(key) }
    }

    /// Makes all feeds poll, concurrently: one whose variant has nothing to serve may wait.
    private func look() {
        for feed in entries.withLock({ $0.values.map(\.feed) }) { Task.detached { await feed.look() } }
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
