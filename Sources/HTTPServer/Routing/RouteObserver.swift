internal import Concurrency

/// Observes every request of one route, for metrics. A class, because each request is handed one, and a value would be
/// copied.
package protocol RouteObserver: AnyObject, Sendable {
    /// Called on the request's loop, once a request, before its answer is sent; so it must be quick. What the server
    /// refuses by itself, as in ``HTTPRefusal``, no router has dealt with.
    ///
    /// - Parameters:
    ///   - status: the answer's; where the handler threw, that of what becomes of the error. Where it took longer than
    ///     `requestDeadline` the client was sent a 504 meanwhile, and this is of the answer that nobody gets any more.
    ///   - nanoseconds: from the router's start to the handler's end.
    func answered(_ method: HTTPMethod, _ status: HTTPStatus, after nanoseconds: Int64)
}

/// Reports a request's outcome to a `RouteObserver`.
struct ObservedRequest: Sendable {
    var observer: any RouteObserver
    private let method: HTTPMethod
    private let start: Int64

    /// - Parameter start: when the router got it.
    init(_ request: HTTPRequest, at start: Int64, by observer: any RouteObserver) {
        self.observer = observer
        method = request.method
        self.start = start
    }

    func end(_ status: HTTPStatus) {
        observer.answered(method, status, after: MonotonicTime.nanoseconds - start)
    }

    /// Reports the status of the response to an error.
    ///
    /// - Returns: that response, so that it is made once.
    /// - Throws: the error, where the server has to report it.
    func end(with error: any Error) throws -> HTTPResponse {
        let response = HTTPResponse(for: error)
        end(response.status)
        guard error is any HTTPResponseError else { throw error }
        return response
    }
}
