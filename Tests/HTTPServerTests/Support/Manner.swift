import HTTPServer

/// Whether a handler has its answer at hand or lets it be waited for. Clients cannot tell one from the other.
enum Manner: CaseIterable, Sendable {
    case atHand, later

    private struct Prompt: HTTPHandler {
        let respond: @Sendable (HTTPRequest) throws -> HTTPResponse

        func answer(to request: HTTPRequest) throws -> HTTPAnswer {
            .ready(try respond(request))
        }
    }

    /// A handler that answers with what the closure gives, in this manner.
    func handler(_ respond: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse) -> any HTTPHandler {
        switch self {
        case .atHand: Prompt(respond: respond)
        case .later: ClosureHTTPHandler { try respond($0) }
        }
    }
}
