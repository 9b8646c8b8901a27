internal import Concurrency
package import CoreMetrics
package import HTTPServer
internal import Prometheus

/// Counts and times the requests of one route.
///
/// The series of a method are made when its first request comes: most methods are never used.
package final class RouteMetrics: RouteObserver {
    private let route: String
    private let factory: any MetricsFactory
    private let methods = InlineArray<9, LazyReference<MethodMetrics>> { _ in LazyReference() }

    /// - Parameter route: nil for requests that match no route.
    package init(_ route: RoutePattern?, _ factory: any MetricsFactory) {
        self.route = route?.description ?? "unmatched"
        self.factory = factory
    }

    package func answered(_ method: HTTPMethod, _ status: HTTPStatus, after nanoseconds: Int64) {
        let place = method.place
        if methods[place].withValue({ $0.note(status, nanoseconds) }) != nil { return }
        methods[place].keep(MethodMetrics(route: route, method: method.metricLabel, factory)).note(status, nanoseconds)
    }
}

/// Counts and times the requests of one method of a route.
private final class MethodMetrics: Sendable {
    private let route: String
    private let method: String
    private let factory: any MetricsFactory
    private let duration: CoreMetrics.Timer
    /// One for each status from 200 to 599, made with the first response that has it.
    private let counters = InlineArray<400, LazyReference<Counter>> { _ in LazyReference() }

    init(route: String, method: String, _ factory: any MetricsFactory) {
        self.route = route
        self.method = method
        self.factory = factory
        duration = CoreMetrics.Timer(
            label: MetricDescription.httpRequestDuration.seriesName,
            dimensions: [("route", route), ("method", method)], factory: factory)
    }

    func note(_ status: HTTPStatus, _ nanoseconds: Int64) {
        let place = status.code - 200
        if counters[place].withValue({ $0.increment() }) == nil {
            counters[place].keep(counter(of: status)).increment()
        }
        duration.recordNanoseconds(nanoseconds)
    }

    private func counter(of status: HTTPStatus) -> Counter {
        Counter(
            label: MetricDescription.httpRequests.seriesName,
            dimensions: [("route", route), ("method", method), ("status", "\(status.code)")], factory: factory)
    }
}

extension HTTPMethod {
    /// The label in metrics. Unknown methods share one, since a client may make up any number of them.
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
