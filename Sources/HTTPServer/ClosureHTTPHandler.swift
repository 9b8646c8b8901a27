/// A handler made of a closure.
public struct ClosureHTTPHandler: HTTPHandler {
    private let respond: @Sendable (HTTPRequest) async throws -> HTTPResponse

    /// A handler that answers with what the closure gives.
    public init(_ respond: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
        self.respond = respond
    }

    /// What the closure gives; always pending, since that it does not wait cannot be known.
    public func answer(to request: HTTPRequest) -> HTTPAnswer {
        .pending { try await respond(request) }
    }
}
