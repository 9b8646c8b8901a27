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

    /// The status, if the response is at hand.
    var statusAtHand: HTTPStatus? {
        if case .ready(let response) = self { response.status } else { nil }
    }

    /// The same answer, whose end is told once it is there, if that has to be waited for.
    func noted(by observed: ObservedRequest) -> HTTPAnswer {
        guard case .pending(let rest) = self else { return self }
        return .pending {
            do {
                let response = try await rest()
                observed.end(response.status)
                return response
            } catch {
                return try observed.end(with: error)
            }
        }
    }
}
