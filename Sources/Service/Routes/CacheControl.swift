internal import FoundationEssentials
internal import HTTPServer
internal import Products

/// How long caches may keep product answers: what the config allows clients, with the windows (RFC 5861) that the graph
/// itself keeps.
struct CacheControl: Sendable {
    let scope: HTTPConfiguration.CacheScope
    let maxAge: Duration
    /// RFC 9111 (1.2.2) has caches take more for this.
    private static let longest = Int(Int32.max)

    /// The fields of an answer whose `Age` is given, in seconds.
    ///
    /// Caches count from the moment at which the source confirmed the catalogue: an answer is fresh while its age is below
    /// `max-age` (RFC 9111, 4.2). So that it is fresh for `maxAge` more seconds wherever it arrives, its age is added; a
    /// constant would have it arrive stale once the catalogue is older than that. No directive goes beyond the age at which
    /// the graph itself would stop to serve the catalogue that way.
    ///
    /// nginx takes `max-age` and does not look at `Age`; `X-Accel-Expires`, which it keeps to itself, tells it how much
    /// is left. It would also make nginx keep what is private.
    func head(for answer: ProductsAnswer, age: Int) throws(HTTPHeaderError) -> HTTPHeaderBlock {
        let windows = answer.freshness.map { Windows($0, of: answer.snapshot) }
        let more = min(Int(maxAge.components.seconds), Self.longest)
        let limit = min(age + more, windows?.servable ?? .max)
        var value = "\(scope.rawValue), max-age=\(limit)"
        if let windows {
            value += ", stale-while-revalidate=\(max(0, windows.revalidating - limit))"
            value += ", stale-if-error=\(max(0, windows.failing - limit))"
        }
        var head = HTTPHeaderBlock()
        try head.append("Cache-Control", value)
        if scope == .public { head.append("X-Accel-Expires", number: max(0, limit - age)) }
        return head
    }

    /// Up to which age, in seconds, the graph serves a snapshot.
    private struct Windows {
        /// At all.
        let servable: Int
        /// While it is refreshed.
        let revalidating: Int
        /// While its refresh fails.
        let failing: Int

        init(_ freshness: Freshness, of snapshot: ProductsSnapshot) {
            /// Whole seconds, of which a sum of dates may miss the last bit.
            func age(at moment: Date) -> Int {
                max(0, Int((moment.timeIntervalSince(snapshot.fetchedAt) + 0.001).rounded(.down)))
            }
            servable = age(at: freshness.servableUntil)
            revalidating = age(at: freshness.freshUntil.advanced(by: freshness.staleWhileRevalidate / .seconds(1)))
            failing = age(at: freshness.freshUntil.advanced(by: freshness.staleIfError / .seconds(1)))
        }
    }
}

extension CacheControl {
    /// What varies is private unless the config says otherwise: a shared cache need not know of audiences.
    init(_ configuration: HTTPConfiguration, _ variance: AnswerVariance) {
        self.init(
            scope: configuration.cacheScope ?? (variance.isNone ? .public : .private), maxAge: configuration.maxAge)
    }
}
