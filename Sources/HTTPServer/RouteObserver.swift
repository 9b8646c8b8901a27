/// Hears of every request that a router has dealt with at one place, for metrics. A class, because each request is handed
/// one, and a value would be copied.
public protocol RouteObserver: AnyObject, Sendable {
    /// Called on the request's loop, once a request, before its answer is sent; so it must be quick. What the server
    /// refuses by itself, as in ``HTTPRefusal``, no router has dealt with.
    ///
    /// - Parameters:
    ///   - status: the answer's; where the handler threw, that of what becomes of the error. Where it took longer than
    ///     `requestDeadline` the client was sent a 504 meanwhile, and this is of the answer that nobody gets any more.
    ///   - nanoseconds: from the router's start to the handler's end.
    func answered(_ method: HTTPMethod, _ status: HTTPStatus, after nanoseconds: Int64)
}
