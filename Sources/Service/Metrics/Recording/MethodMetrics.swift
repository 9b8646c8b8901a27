internal import CoreMetrics
internal import HTTPServer
internal import Locks

/// Counts the requests of one method at one place of a router, and measures how long they took.
final class MethodMetrics: Sendable {
    private let route: String
    private let method: String
    private let factory: any MetricsFactory
    private let duration: CoreMetrics.Timer
    /// One for each status from 200 to 599; found when the first answer has it.
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
