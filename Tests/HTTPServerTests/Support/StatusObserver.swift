import HTTPServer
import TestSupport

/// Keeps the statuses that it was told of.
final class StatusObserver: RouteObserver {
    let seen = Shared<[Int]>([])

    func answered(_ method: HTTPMethod, _ status: HTTPStatus, after nanoseconds: Int64) {
        seen.withLock { $0.append(status.code) }
    }
}
