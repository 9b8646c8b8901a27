/// A handler made of a closure.
public struct ClosureHTTPHandler: HTTPHandler {
    private let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse

    /// A handler that answers with what the closure gives.
    public init(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
        self.answer = answer
    }

    /// What the closure gives.
    public func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        try await answer(request)
    }
}
