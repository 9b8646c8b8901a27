package import Analytics
package import Concurrency
package import JSON
package import Products

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
