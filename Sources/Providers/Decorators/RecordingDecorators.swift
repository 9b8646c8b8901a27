package import Analytics
package import Concurrency
package import JSON
package import Products

/// Saves every successful answer of its upstream, to be served when the upstream is away.
///
/// A failed save does not fail the answer; the saver reports it. Only confirmed catalogues are saved, since the newest
/// one in the store is served after a restart: no substitute for a failure, no pinned catalogue, and none that a gate
/// could not check.
package struct CachingProductsProviderDecorator: ProductsProvider {
    private let name: String
    private let upstream: any ProductsProvider
    private let saver: any ProductsSaver

    package init(name: String = "caching", upstream: any ProductsProvider, saver: any ProductsSaver) {
        (self.name, self.upstream, self.saver) = (name, upstream, saver)
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let answer = try await upstream.products(for: request)
        guard answer.standing == .confirmed else { return answer.adding(TrailStep(node: name, outcome: .skipped)) }
        try? await saver.save(answer.snapshot)
        return answer.passingLease(ofAnyCatalogue: false).adding(TrailStep(node: name, outcome: .saving))
    }
}

extension ProductsProvider {
    /// Returns a source of entries of an `overlay` that saves them, and provides the stored ones while it fails.
    package func keepingEntries(in store: any ProductsProvider, by saver: any ProductsSaver) -> any ProductsProvider {
        FallbackProductsProviderStrategy(
            primary: CachingProductsProviderDecorator(upstream: self, saver: saver), secondary: store)
    }
}

/// Logs an event after every success of its upstream, unless the caller opted out.
///
/// Below `memory` the events count refreshes and not callers: a refresh belongs to no request, so it counts even if a
/// caller who opted out, or the service itself, caused it. A failure passes through without an event.
package struct AnalyticsProductsProviderDecorator: ProductsProvider {
    private let upstream: any ProductsProvider
    private let sink: any AnalyticsSink
    private let event: AnalyticsEvent.Content
    private let wallClock: WallClock

    package init(
        upstream: any ProductsProvider, sink: any AnalyticsSink, event: String, parameters: JSONObject = JSONObject(),
        wallClock: WallClock = .system
    ) {
        (self.upstream, self.sink, self.wallClock) = (upstream, sink, wallClock)
        self.event = AnalyticsEvent.Content(name: event, parameters: parameters)
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let answer = try await upstream.products(for: request)
        log(request)
        return answer.passingLease(use: { request, _ in log(request()) })
    }

    private func log(_ request: ProductsRequest) {
        guard !request.analyticsOptOut else { return }
        sink.log(AnalyticsEvent(event, at: wallClock.now()))
    }
}
