internal import CoreMetrics
internal import HTTPServer
internal import Locks

/// Counts the requests at one place of a router, and measures how long they took.
///
/// The series of a method are found when its first request comes: of all that could be there most never are.
final class RouteMetrics: RouteObserver {
    private let route: String
    private let factory: any MetricsFactory
    private let methods = InlineArray<9, LazyReference<MethodMetrics>> { _ in LazyReference() }

    /// - Parameters:
    ///   - route: nil for the requests that are of no route.
    ///   - factory: where it is recorded.
    init(_ route: RoutePattern?, _ factory: any MetricsFactory) {
        self.route = route?.description ?? "unmatched"
        self.factory = factory
    }

    func answered(_ method: HTTPMethod, _ status: HTTPStatus, after nanoseconds: Int64) {
        let place = method.place
        if methods[place].withValue({ $0.note(status, nanoseconds) }) != nil { return }
        methods[place].keep(MethodMetrics(route: route, method: method.metricLabel, factory)).note(status, nanoseconds)
    }
}
