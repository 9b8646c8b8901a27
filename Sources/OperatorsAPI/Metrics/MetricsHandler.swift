internal import Concurrency
package import CoreMetrics
package import HTTPServer
package import OpenAPI
package import Prometheus

/// `GET /metrics`: all metrics in the text format of Prometheus.
package struct MetricsHandler: HTTPHandler, QueryReading {
    let registry: MetricsRegistry
    /// Reads the metrics of the graph in force.
    let collector: any MetricsCollector

    package init(registry: MetricsRegistry, collector: any MetricsCollector) {
        self.registry = registry
        self.collector = collector
    }

    package func respond(to request: HTTPRequest) throws -> EventualResponse {
        _ = try query(of: request, taking: [])
        return .pending { await response() }
    }

    /// Runs off the loop, because collectors read a disk and the text is long.
    private func response() async -> HTTPResponse {
        let text = await withTaskExecutorPreference(globalConcurrentExecutor) {
            MetricsWriter.text(of: await registry.families(with: [collector]))
        }
        return HTTPResponse(
            status: .ok,
            headers: ["Cache-Control": "no-store", "Content-Type": "text/plain; version=0.0.4; charset=utf-8"],
            body: HTTPBody(text: text))
    }
}

extension MetricsHandler {
    package static let description = RouteDescription(
        id: "showMetrics", summary: "Metrics for Prometheus",
        responses: [
            ResponseDescription(
                status: 200, meaning: "The metrics.", fields: [.cacheControl],
                contents: [.init(mediaType: "text/plain", schema: Schema.text)]),
            .problem(400, "There is a query."),
        ], waits: true)
}

/// Counts and times the requests of one route.
///
/// The series of a method are made by its first request, since most methods are never used.
package final class RouteMetrics: RouteObserver {
    private let route: String
    private let factory: any MetricsFactory
    private let methods = InlineArray<9, LazyReference<MethodMetrics>> { _ in LazyReference() }

    /// - Parameter route: nil for requests that match no route.
    package init(_ route: RoutePattern?, _ factory: any MetricsFactory) {
        self.route = route?.description ?? "unmatched"
        self.factory = factory
    }

    package func record(_ method: HTTPMethod, _ status: HTTPStatus, after nanoseconds: Int64) {
        let place = method.place
        if methods[place].withValue({ $0.record(status, nanoseconds) }) != nil { return }
        methods[place].keep(MethodMetrics(route: route, method: method.metricLabel, factory)).record(
            status, nanoseconds)
    }
}

/// Counts and times the requests of one method of a route.
private final class MethodMetrics: Sendable {
    private let route: String
    private let method: String
    private let factory: any MetricsFactory
    private let duration: CoreMetrics.Timer
    /// One for each status from 200 to 599, made by its first response.
    private let counters = InlineArray<400, LazyReference<Counter>> { _ in LazyReference() }

    init(route: String, method: String, _ factory: any MetricsFactory) {
        self.route = route
        self.method = method
        self.factory = factory
        duration = MetricDescription.httpRequestDuration.timer([("route", route), ("method", method)], in: factory)
    }

    func record(_ status: HTTPStatus, _ nanoseconds: Int64) {
        let place = status.code - 200
        if counters[place].withValue({ $0.increment() }) == nil {
            counters[place].keep(counter(of: status)).increment()
        }
        duration.recordNanoseconds(nanoseconds)
    }

    private func counter(of status: HTTPStatus) -> Counter {
        MetricDescription.httpRequests.counter(
            [("route", route), ("method", method), ("status", "\(status.code)")], in: factory)
    }
}

extension HTTPMethod {
    /// The label in metrics. Unknown methods share one, since clients may send any number of them.
    fileprivate var metricLabel: String { self == .other ? "other" : description }

    fileprivate var place: Int {
        switch self {
        case .get: 0
        case .head: 1
        case .options: 2
        case .post: 3
        case .put: 4
        case .delete: 5
        case .patch: 6
        case .trace: 7
        case .other: 8
        }
    }
}

/// Reads the counts of a server.
package final class ServerCollector: MetricsCollector {
    /// Weak, because the server's own routes refer to the collector.
    private weak let server: HTTPServer?

    package init(_ server: HTTPServer) {
        self.server = server
    }

    package func families() async -> [MetricFamily] {
        guard let server else { return [] }
        let connections = await server.connectionCount()
        let refusals = await server.refusalCounts()
        let handled = await server.handledCounts()
        return [
            MetricFamily(.httpConnections, .count(connections)),
            MetricFamily(
                .httpHandled, "way", [("fast_path", .count(handled.fastPath)), ("evhttp", .count(handled.evhttp))]),
            MetricFamily(
                .httpRejected, "reason",
                HTTPRefusal.allCases.map { ($0.rawValue, .count(refusals[$0, default: 0])) }),
            MetricFamily(.tlsCertificateNotAfter, server.certificateValidUntil.map { .number(Double($0)) }),
        ]
    }
}
