/// Limits on the age of a served snapshot. The windows follow RFC 5861: both begin where freshness ends.
package struct FreshnessPolicy: Sendable, Hashable {
    /// The age up to which the snapshot is served without a refresh.
    package var ttl: Duration
    /// The time after `ttl` during which the snapshot is served at once while a refresh runs behind the answer.
    package var staleWhileRevalidate: Duration
    /// The time after `ttl` during which the snapshot is served when the refresh fails.
    package var staleIfError: Duration
    /// The pause after the first failed refresh; it doubles with each further failure.
    package var holdOff: Duration
    var longestHoldOff = Duration.seconds(30)
    /// The longest wait of a request for a refresh while a stale snapshot may be served.
    package var maxWait: Duration
    /// Whether the end of freshness starts a refresh, and not the first request after it.
    package var refreshesInBackground = false

    package init(
        ttl: Duration = .seconds(30), staleWhileRevalidate: Duration = .seconds(60),
        staleIfError: Duration = .seconds(7 * 86400), holdOff: Duration = .seconds(1), maxWait: Duration = .seconds(3)
    ) {
        self.ttl = ttl
        self.staleWhileRevalidate = staleWhileRevalidate
        self.staleIfError = staleIfError
        self.holdOff = holdOff
        self.maxWait = maxWait
    }

    /// The age up to which a snapshot may be served at all.
    var longestUse: Duration { ttl + max(staleWhileRevalidate, staleIfError) }
}
