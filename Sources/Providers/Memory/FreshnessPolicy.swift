/// How old a snapshot may be for what use. The windows follow RFC 5861: both begin where freshness ends.
public struct FreshnessPolicy: Sendable, Hashable {
    /// Up to this age the snapshot is served without asking.
    public var ttl: Duration
    /// How long after that it is served at once while a refresh runs behind the answer.
    public var staleWhileRevalidate: Duration
    /// How long after `ttl` it is still served when the refresh fails.
    public var staleIfError: Duration
    /// How long the first failure keeps the upstream from being asked again; every further one doubles it.
    public var holdOff: Duration
    /// Where the doubling ends.
    public var longestHoldOff: Duration
    /// How long a request waits for a refresh, whatever that waits for, while a stale snapshot may be served.
    public var maxWait: Duration
    /// Whether a refresh starts when freshness ends, and not with the first request after that.
    public var refreshesInBackground = false

    /// Makes a policy; the defaults are the config file's.
    public init(
        ttl: Duration = .seconds(30), staleWhileRevalidate: Duration = .seconds(60),
        staleIfError: Duration = .seconds(7 * 86400), holdOff: Duration = .seconds(1),
        longestHoldOff: Duration = .seconds(30), maxWait: Duration = .seconds(3)
    ) {
        self.ttl = ttl
        self.staleWhileRevalidate = staleWhileRevalidate
        self.staleIfError = staleIfError
        self.holdOff = holdOff
        self.longestHoldOff = longestHoldOff
        self.maxWait = maxWait
    }

    /// The age up to which a snapshot may be served at all.
    var longestUse: Duration { ttl + max(staleWhileRevalidate, staleIfError) }

    /// What an age allows. A border belongs to the better stage.
    func stage(atAge age: Duration) -> FreshnessStage {
        if age <= ttl { return .fresh }
        if age <= ttl + staleWhileRevalidate { return .revalidating }
        if age <= ttl + staleIfError { return .stale }
        return .expired
    }
}

/// What may be done with a snapshot of some age.
enum FreshnessStage: Sendable {
    /// Serve it.
    case fresh
    /// Serve it at once, refresh behind the answer.
    case revalidating
    /// Refresh first; serve it if that fails.
    case stale
    /// Refresh first; never serve it.
    case expired
}
