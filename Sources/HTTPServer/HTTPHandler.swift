/// Something that answers requests: a route's code, a router, or a decorator of either.
///
/// The call runs on the event loop of the request's connection and comes back to it after each suspension. What takes
/// over a millisecond belongs elsewhere. It is called for many requests at once.
public protocol HTTPHandler: Sendable {
    /// The answer. A thrown `HTTPResponseError` is answered with its response; any other error with a 500, and it is
    /// reported to the server's error hook. An answer that comes after the server's deadline is dropped.
    func respond(to request: HTTPRequest) async throws -> HTTPResponse
}
