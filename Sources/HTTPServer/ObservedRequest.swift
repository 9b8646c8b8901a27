/// A request of which somebody wants to hear when it is answered.
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

    /// Tells of the answer.
    func end(_ status: HTTPStatus) {
        observer.answered(method, status, after: MonotonicTime.nanoseconds - start)
    }

    /// Tells of the answer that an error becomes.
    ///
    /// - Returns: that answer, so that it is made once.
    /// - Throws: the error, where the server has to report it.
    func end(with error: any Error) throws -> HTTPResponse {
        let response = HTTPResponse(for: error)
        end(response.status)
        guard error is any HTTPResponseError else { throw error }
        return response
    }
}
