internal import Concurrency

/// Calls the handler of one loop, off the loop where a request takes long to read, and turns errors into responses.
struct LoopHandler: Sendable {
    let handler: any HTTPPortHandler
    let onError: @Sendable (any Error, HTTPRequest) -> Void

    /// The longest target that is handled on the loop, in bytes: the time to parse a query or describe its error grows
    /// with its length.
    private static let longestTarget = 256

    /// The response, or the one that stands for an error.
    func respond(to request: HTTPRequest) -> EventualResponse {
        guard request.storage.layout.targetSize <= Self.longestTarget || request.isPathTooLong else {
            return .pending { [handler] in
                try await withTaskExecutorPreference(globalConcurrentExecutor) {
                    try await handler.respond(to: request).response
                }
            }
        }
        do {
            return try handler.respond(to: request)
        } catch {
            return .ready(response(for: error, request))
        }
    }

    /// The rest of a pending response.
    func response(
        to request: HTTPRequest, _ rest: @Sendable () async throws -> HTTPResponse
    ) async -> HTTPResponse {
        do {
            return try await rest()
        } catch {
            return response(for: error, request)
        }
    }

    private func response(for error: any Error, _ request: HTTPRequest) -> HTTPResponse {
        if !(error is any HTTPResponseError) { onError((error as? HTTPUnexpectedError)?.cause ?? error, request) }
        return HTTPResponse(for: error)
    }
}
