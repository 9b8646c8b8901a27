/// Wraps the handler of a port in another.
package typealias HTTPMiddleware = @Sendable (any HTTPPortHandler) -> any HTTPPortHandler

extension HTTPPortHandler {
    /// Wraps the handler in middleware. The first in the list is the outermost.
    package func within(_ middleware: [HTTPMiddleware]) -> any HTTPPortHandler {
        middleware.reversed().reduce(self as any HTTPPortHandler) { $1($0) }
    }
}

/// Changes the outcomes of requests. Implements the part in which middlewares differ.
package protocol HTTPOutcomeChange: Sendable {
    /// Returns or throws the replacement of an outcome. Called on the request's loop, once a request.
    func response(for outcome: Result<HTTPResponse, any Error>, to request: HTTPRequest) throws -> HTTPResponse
}

/// Applies a change to every outcome, immediate or pending.
package struct HTTPOutcomeChanger<Change: HTTPOutcomeChange>: Sendable {
    package let change: Change

    package init(by change: Change) {
        self.change = change
    }

    /// The response that `make` returns, with its outcome changed.
    package func respond(to request: HTTPRequest, _ make: () throws -> EventualResponse) throws -> EventualResponse {
        let eventual: EventualResponse
        do {
            eventual = try make()
        } catch {
            return .ready(try change.response(for: .failure(error), to: request))
        }
        switch eventual {
        case .ready(let ready): return .ready(try change.response(for: .success(ready), to: request))
        case .pending(let rest): return .pending { try await changed(request, rest) }
        }
    }

    private func changed(
        _ request: HTTPRequest, _ rest: @Sendable () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let outcome: Result<HTTPResponse, any Error>
        do {
            outcome = .success(try await rest())
        } catch {
            outcome = .failure(error)
        }
        return try change.response(for: outcome, to: request)
    }
}
