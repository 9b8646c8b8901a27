/// Something that answers requests: a route's code, a router, or a decorator of either.
///
/// The call runs on the event loop of the request's connection, and so does what it leaves to be done, which comes back
/// to it after each suspension. What takes over a millisecond belongs elsewhere. It is called for many requests at once.
public protocol HTTPHandler: Sendable {
    /// The answer. A thrown `HTTPResponseError` is answered with its response; any other error with a 500, and it is
    /// reported to the server's error hook. An answer that comes after the server's deadline is dropped.
    ///
    /// It is called once a request, and what it gives is carried out, unless the client goes away in that very moment.
    func answer(to request: HTTPRequest) throws -> HTTPAnswer
}

extension HTTPHandler {
    /// The response, as soon as it is there.
    public func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        try await answer(to: request).response
    }
}
