/// What a handler says to a request: the response, or that it has to be waited for.
///
/// Most of what is asked of a cache is at hand. A task for it would cost more than the answer itself, so there is one
/// only where something is waited for.
public enum HTTPAnswer: Sendable {
    /// It is at hand.
    case ready(HTTPResponse)
    /// What is left to be done, once, on the loop of the request; it throws what a handler may throw.
    case pending(@Sendable () async throws -> HTTPResponse)

    /// The response, as soon as it is there.
    public var response: HTTPResponse {
        get async throws {
            switch self {
            case .ready(let response): response
            case .pending(let rest): try await rest()
            }
        }
    }

    /// The same answer, whose outcome is told once it is there: now, or when what is left has been done.
    func noted(_ note: @escaping @Sendable (Result<HTTPResponse, any Error>) -> Void) -> HTTPAnswer {
        switch self {
        case .ready(let response):
            note(.success(response))
            return self
        case .pending(let rest):
            return .pending {
                do {
                    let response = try await rest()
                    note(.success(response))
                    return response
                } catch {
                    note(.failure(error))
                    throw error
                }
            }
        }
    }
}
