/// Changes the outcome of every request, whether it is at hand or has to be waited for: the common part of middleware.
package protocol HTTPOutcomeChanging: Sendable {
    /// Returns or throws the replacement of an outcome. Called on the request's loop, once a request.
    func response(for outcome: Result<HTTPResponse, any Error>, to request: HTTPRequest) throws -> HTTPResponse
}

extension HTTPOutcomeChanging {
    /// The answer that `make` gives, with its outcome changed.
    package func changed(_ request: HTTPRequest, _ make: () throws -> HTTPAnswer) throws -> HTTPAnswer {
        let answer: HTTPAnswer
        do {
            answer = try make()
        } catch {
            return .ready(try response(for: .failure(error), to: request))
        }
        switch answer {
        case .ready(let ready): return .ready(try response(for: .success(ready), to: request))
        case .pending(let rest): return .pending { try await changedLater(request, rest) }
        }
    }

    private func changedLater(
        _ request: HTTPRequest, _ rest: @Sendable () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let outcome: Result<HTTPResponse, any Error>
        do {
            outcome = .success(try await rest())
        } catch {
            outcome = .failure(error)
        }
        return try response(for: outcome, to: request)
    }
}
