internal import HTTPServer

/// Answers each request of one event loop by the edition that is in force when it comes, and holds on to that edition
/// until the answer is there.
struct EditionHandler: HTTPHandler {
    let current: EditionCopy
    /// Which of the edition's handlers: the one for clients, or the one for operators.
    let choose: @Sendable (Edition) -> any HTTPHandler

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        let edition = current.edition
        defer { withExtendedLifetime(edition) {} }
        let answer = try choose(edition).answer(to: request)
        guard case .pending(let rest) = answer else { return answer }
        return .pending {
            defer { withExtendedLifetime(edition) {} }
            return try await rest()
        }
    }

    func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock {
        choose(current.edition).fields(for: refused)
    }
}
