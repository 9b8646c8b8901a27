package import CoreMetrics
package import HTTPServer

/// The conditions under which clients are served: the keys and the rate of requests.
package struct ClientAccess: Sendable {
    /// The keys that requests take; nil if they take none.
    package let ring: APIKeyRing?
    /// The paths that take no key; one with a slash at its end includes all paths below it.
    package let keyless: [String]
    /// nil for no limit.
    package let limiter: RateLimiter?
    /// The paths that are never refused for their rate.
    package let unlimited: [String]

    package init(ring: APIKeyRing?, keyless: [String], limiter: RateLimiter?, unlimited: [String]) {
        (self.ring, self.keyless, self.limiter, self.unlimited) = (ring, keyless, limiter, unlimited)
    }

    /// The middleware of the port. An address is limited before its keys are looked at, so that none are tried out.
    package func middleware(refusals: any RouteObserver, _ metrics: any MetricsFactory) -> [HTTPMiddleware] {
        let keys = ring.map { APIKeyHandler.middleware($0, exempt: keyless, refusals: refusals, metrics) }
        let rate = limiter.map { $0.middleware(exempt: unlimited, refusals: refusals) }
        let ordered = limiter?.limit.subject == .key ? [keys, rate] : [rate, keys]
        return ordered.compactMap(\.self)
    }
}
