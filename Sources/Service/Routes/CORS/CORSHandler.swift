internal import HTTPServer

/// Passes requests on, and tells browsers which pages may read the answers, problems included. Preflights it answers
/// itself.
struct CORSHandler: HTTPHandler, HTTPOutcomeChanging {
    private let upstream: any HTTPHandler
    private let policy: CORSPolicy
    private let observer: any RouteObserver

    private init(upstream: any HTTPHandler, policy: CORSPolicy, observer: any RouteObserver) {
        self.upstream = upstream
        self.policy = policy
        self.observer = observer
    }

    /// A handler whose answers pages may read; the handler itself where none may.
    ///
    /// - Parameter observer: hears of preflights, which take no time and of which the upstream does not hear.
    static func around(
        _ handler: some HTTPHandler, _ policy: CORSPolicy?, preflights observer: any RouteObserver
    ) -> any HTTPHandler {
        guard let policy else { return handler }
        return CORSHandler(upstream: handler, policy: policy, observer: observer)
    }

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        if let preflight = policy.preflight(for: request) {
            observer.answered(request.method, preflight.status, after: 0)
            return .ready(preflight)
        }
        return try changed(request) { try upstream.answer(to: request) }
    }

    func response(for outcome: Result<HTTPResponse, any Error>, to request: HTTPRequest) throws -> HTTPResponse {
        do {
            return allowed(try outcome.get(), for: request)
        } catch let error as any HTTPResponseError {
            return allowed(error.response, for: request)
        } catch {
            throw HTTPUnexpectedError(cause: error, response: allowed(HTTPResponse(for: error), for: request))
        }
    }

    func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock {
        var fields = upstream.fields(for: refused)
        policy.apply(to: &fields, origin: refused.origin)
        return fields
    }

    private func allowed(_ response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
        var response = response
        policy.apply(to: &response.headers, origin: request.header("Origin"))
        return response
    }
}
