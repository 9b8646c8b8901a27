internal import HTTPServer

/// Answers each request of one event loop by the edition that is in force when it comes, and holds on to that edition
/// until the answer is there.
struct EditionHandler: HTTPHandler {
    let current: EditionCopy
    /// Which of the edition's handlers: the one for clients, or the one for operators.
    let choose: @Sendable (Edition) -> any HTTPHandler

    func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        let edition = current.edition
        defer { withExtendedLifetime(edition) {} }
        return try await choose(edition).respond(to: request)
    }
}
