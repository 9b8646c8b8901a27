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

    /// The fields that the answers have in common which the server gives in the handler's place, refusals and
    /// time-outs, beside those of the server itself. Called on a loop, so it must be quick.
    func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock
}

/// The known parts of a request that the server answers itself. None of them has been validated.
public struct HTTPRefusedRequest: Sendable {
    /// A globally unique number of the request.
    public let serial: RequestSerial
    /// The request's `Origin`; nil where it has none, or it was not received.
    public let origin: String?
    /// The request's `X-Request-Id`; nil where it has none, or it was not received.
    public let givenID: String?
}

extension HTTPHandler {
    /// None.
    public func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock { HTTPHeaderBlock() }

    /// The response, as soon as it is there.
    public func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        try await answer(to: request).response
    }
}
