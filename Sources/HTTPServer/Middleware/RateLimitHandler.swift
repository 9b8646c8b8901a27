internal import Concurrency
package import Logging
internal import Text

/// The most requests of each client in a time.
package struct RateLimit: Sendable, Hashable {
    /// The part of a request by which clients are told apart. The raw value is that of the config.
    package enum Subject: String, Sendable, CaseIterable {
        case address, key
    }

    package let subject: Subject
    let pause: Duration
    let burst: Int

    /// - Parameters:
    ///   - pause: the time after which a client may send another request.
    ///   - burst: the requests that a client may send at once.
    package init(_ subject: Subject, pause: Duration, burst: Int) {
        (self.subject, self.pause, self.burst) = (subject, pause, burst)
    }

    /// The seconds in which a client may send as many requests as in a burst.
    private var window: Int { Self.seconds(pause * burst) }

    private static func seconds(_ duration: Duration) -> Int {
        max(1, Int((duration / .seconds(1)).rounded(.up)))
    }

    /// The response to a request beyond the limit (RFC 6585, and the fields of draft-ietf-httpapi-ratelimit-headers).
    func refusal(wait: Duration) -> HTTPResponse {
        let seconds = Self.seconds(wait)
        var headers = HTTPHeaderBlock()
        headers.append("Retry-After", number: seconds)
        try? headers.append("RateLimit-Policy", "\"\(subject.rawValue)\";q=\(burst);w=\(window)")
        try? headers.append("RateLimit", "\"\(subject.rawValue)\";r=0;t=\(seconds)")
        return ProblemDetails(status: .tooManyRequests, detail: "This \(subject.rawValue) sends too many requests.")
            .response(headers: headers)
    }
}

/// The buckets of a rate limit, shared by the loops of a server.
package final class RateLimiter: Sendable {
    package let limit: RateLimit
    fileprivate let rates: ClientRates
    private let logger: Logger
    private let reports: PacedReports

    /// Makes full buckets; nil when there is no memory.
    ///
    /// - Parameter clock: limits the rate of log lines about refused requests.
    package init?(_ limit: RateLimit, logger: Logger, clock: some Clock<Duration> = ContinuousClock()) {
        guard let rates = ClientRates(pause: limit.pause, burst: limit.burst) else { return nil }
        (self.limit, self.rates, self.logger) = (limit, rates, logger)
        reports = PacedReports(clock: clock)
    }

    /// - Parameters:
    ///   - exempt: paths whose requests are counted but never refused.
    ///   - observer: records refused requests, which do not reach the handler.
    package func middleware(exempt: [String], refusals observer: any RouteObserver) -> HTTPMiddleware {
        { RateLimitHandler(upstream: $0, limiter: self, exempt: exempt, observer: observer) }
    }

    fileprivate func log(_ request: HTTPRequest) {
        guard let count = reports.count() else { return }
        logger.notice(
            "requests beyond the rate limit are refused",
            metadata: [
                "remote": "\(request.client)", "path": "\(TextExcerpt(request.rawPath))",
                "refused": .stringConvertible(count),
            ])
    }
}

private final class RateLimitHandler: HTTPPortHandler {
    private let upstream: any HTTPPortHandler
    private let limiter: RateLimiter
    private let rates: ClientRates
    private let isOfAddresses: Bool
    private let exempt: [String]
    private let observer: any RouteObserver

    init(upstream: any HTTPPortHandler, limiter: RateLimiter, exempt: [String], observer: any RouteObserver) {
        (self.upstream, self.limiter, self.exempt, self.observer) = (upstream, limiter, exempt, observer)
        (rates, isOfAddresses) = (limiter.rates, limiter.limit.subject == .address)
    }

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        let subject = isOfAddresses ? request.network : UInt64(request.principal ?? .max)
        guard let wait = rates.take(subject) else { return try upstream.respond(to: request) }
        return try respond(to: request, waiting: wait)
    }

    /// Not inlined, so that requests within the limit do without its frame.
    @inline(never)
    private func respond(to request: HTTPRequest, waiting wait: Duration) throws -> EventualResponse {
        if request.isBelow(exempt) { return try upstream.respond(to: request) }
        limiter.log(request)
        let refusal = limiter.limit.refusal(wait: wait)
        observer.record(request.method, refusal.status, after: 0)
        return .ready(refusal)
    }

    func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock { upstream.fields(for: refused) }

    func bodyLimit(of head: HTTPRequest) -> Int { upstream.bodyLimit(of: head) }
}
