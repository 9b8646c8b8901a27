package import CoreMetrics
package import HTTPServer
internal import Logging

/// The conditions under which clients are served: the keys and the rate of requests.
package struct ClientAccess: Sendable {
    /// The keys that requests take; nil if they take none.
    package let ring: APIKeyRing?
    /// The paths that take no key and are not limited; one with a slash at its end includes all paths below it.
    package let exempt: [String]
    /// nil for no limit.
    package let limiter: RateLimiter?

    package init(ring: APIKeyRing?, exempt: [String], limiter: RateLimiter?) {
        (self.ring, self.exempt, self.limiter) = (ring, exempt, limiter)
    }

    /// The middleware of one loop. An address is limited before its keys are looked at, so that none are tried out.
    package func middleware(refusals: any RouteObserver, _ metrics: any MetricsFactory) -> [HTTPMiddleware] {
        let keys = ring.map { APIKeyHandler.middleware($0, exempt: exempt, refusals: refusals, metrics) }
        let rate = limiter.map { $0.middleware(exempt: exempt, refusals: refusals) }
        let ordered = limiter?.limit.subject == .key ? [keys, rate] : [rate, keys]
        return ordered.compactMap(\.self)
    }
}
