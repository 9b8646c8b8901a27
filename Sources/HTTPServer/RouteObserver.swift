/// Hears of every request that a router has dealt with, for metrics and logs.
public protocol RouteObserver: Sendable {
    /// Called on the request's loop, once a request, before its answer is sent; so it must be quick.
    ///
    /// - Parameters:
    ///   - route: the pattern of the route, of which there are few; `nil` when none matched.
    ///   - outcome: the answer, or what the handler threw; `HTTPResponse(for:)` tells what that becomes.
    ///   - duration: from the router's start to the handler's end.
    func answered(
        _ request: HTTPRequest, route: RoutePattern?, outcome: Result<HTTPResponse, any Error>, duration: Duration)
}
