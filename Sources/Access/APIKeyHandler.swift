package import CoreMetrics
internal import Concurrency
package import HTTPServer
package import Prometheus
internal import Synchronization

extension MetricDescription {
    package static let apiKeyRequests = MetricDescription(
        "larder_api_key_requests", .counter,
        "Requests on the clients' port by the name of their API key and the outcome: valid, or refused as none, unknown, ended "
            + "or scope. Names beyond 200 count as others.")
}

/// Passes on requests with a valid API key, and requests to exempt paths. Shared by loops.
package final class APIKeyHandler: HTTPPortHandler {
    fileprivate enum Refusal: String, CaseIterable {
        case none, unknown, ended, scope

        var response: HTTPResponse {
            let (status, detail, challenge): (HTTPStatus, String, HTTPHeaderBlock) =
                switch self {
                case .none:
                    (
                        .unauthorized, "The request takes an API key, in Authorization: Bearer or in X-Api-Key.",
                        ["WWW-Authenticate": "Bearer"]
                    )
                case .unknown:
                    (
                        .unauthorized, "This API key is not known.",
                        ["WWW-Authenticate": "Bearer error=\"invalid_token\""]
                    )
                case .ended:
                    (.unauthorized, "This API key has ended.", ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
                case .scope: (.forbidden, "This API key is not for this resource.", [:])
                }
            return ProblemDetails(status: status, detail: detail).response(headers: challenge)
        }
    }

    private let upstream: any HTTPPortHandler
    private let ring: APIKeyRing
    private let exempt: [String]
    private let observer: any RouteObserver
    private let counters: KeyCounters
    private let presented = PresentedKeys()
    private let allScopes = Set(APIKey.Scope.allCases).bits

    /// - Parameters:
    ///   - exempt: the paths that take no key; one with a slash at its end includes all paths below it.
    ///   - observer: records refused requests, which do not reach the handler.
    package static func middleware(
        _ ring: APIKeyRing, exempt: [String], refusals observer: any RouteObserver, _ metrics: any MetricsFactory
    ) -> HTTPMiddleware {
        {
            APIKeyHandler(
                upstream: $0, ring: ring, exempt: exempt, observer: observer, counters: KeyCounters(metrics))
        }
    }

    private init(
        upstream: any HTTPPortHandler, ring: APIKeyRing, exempt: [String], observer: any RouteObserver,
        counters: KeyCounters
    ) {
        (self.upstream, self.ring, self.exempt) = (upstream, ring, exempt)
        (self.observer, self.counters) = (observer, counters)
    }

    package func respond(to request: HTTPRequest) throws -> EventualResponse {
        guard let refusal = refusal(of: request), !request.isBelow(exempt) else {
            return try upstream.respond(to: request)
        }
        let response = refusal.response
        counters.count(refusal)
        observer.record(request.method, response.status, after: 0)
        return .ready(response)
    }

    private func refusal(of request: HTTPRequest) -> Refusal? {
        let generation = ring.generation.load(ordering: .acquiring)
        if let holder = presented.verified(by: request, generation: generation) {
            return refusal(of: request, by: holder)
        }
        switch presented.holder(of: request, generation: generation, verify: { ring.holder(of: $0) }) {
        case nil: return Refusal.none
        case .unknown: return .unknown
        case .valid(let holder): return refusal(of: request, by: holder)
        }
    }

    private func refusal(of request: HTTPRequest, by holder: KeyHolder) -> Refusal? {
        let number = holder.number
        request.principal = number
        if ring.isOver(holder) { return .ended }
        guard holder.scopes == allScopes || holder.scopes & scope(of: request).bit != 0 else { return .scope }
        counters.count(number, in: ring)
        return nil
    }

    /// Reads the path decoded, as the router does.
    private func scope(of request: HTTPRequest) -> APIKey.Scope {
        (try? request.path) == "/changes" ? .changes : .products
    }

    package func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock { upstream.fields(for: refused) }

    package func bodyLimit(of head: HTTPRequest) -> Int { upstream.bodyLimit(of: head) }
}

/// The counters of keys, each made by the first request of its key.
private final class KeyCounters: Sendable {
    /// Further names are counted together.
    private static let mostNames = 200

    private let metrics: any MetricsFactory
    private let named = InlineArray<200, LazyReference<Counter>> { _ in LazyReference() }
    private let others = LazyReference<Counter>()
    private let refused: [APIKeyHandler.Refusal: Counter]

    init(_ metrics: any MetricsFactory) {
        self.metrics = metrics
        refused = MetricDescription.apiKeyRequests.counters(by: "outcome", [("key", "")], in: metrics)
    }

    func count(_ number: UInt32, in ring: APIKeyRing) {
        if number >= Self.mostNames {
            if others.withValue({ $0.increment() }) == nil { others.keep(counter("others")).increment() }
        } else if named[Int(number)].withValue({ $0.increment() }) == nil {
            named[Int(number)].keep(counter(ring.name(of: number))).increment()
        }
    }

    func count(_ refusal: APIKeyHandler.Refusal) { refused[refusal]?.increment() }

    private func counter(_ key: String) -> Counter {
        MetricDescription.apiKeyRequests.counter([("key", key), ("outcome", "valid")], in: metrics)
    }
}
