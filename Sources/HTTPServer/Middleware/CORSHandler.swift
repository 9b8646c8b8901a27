/// Adds the CORS header fields to all responses, errors included, and answers preflights itself.
package final class CORSHandler: HTTPPortHandler {
    private let upstream: any HTTPPortHandler
    private let changer: HTTPOutcomeChanger<CORSPolicy>
    private let observer: any RouteObserver

    private init(upstream: any HTTPPortHandler, policy: CORSPolicy, observer: any RouteObserver) {
        self.upstream = upstream
        changer = HTTPOutcomeChanger(by: policy)
        self.observer = observer
    }

    /// Returns the handler itself if there is no policy.
    ///
    /// - Parameter observer: records preflights, which do not reach the handler.
    package static func middleware(_ policy: CORSPolicy?, preflights observer: any RouteObserver) -> HTTPMiddleware {
        { handler in
            policy.map { CORSHandler(upstream: handler, policy: $0, observer: observer) } ?? handler
        }
    }

    package func respond(to request: HTTPRequest) throws -> EventualResponse {
        if let preflight = changer.change.preflight(for: request) {
            observer.record(request.method, preflight.status, after: 0)
            return .ready(preflight)
        }
        return try changer.respond(to: request) { try upstream.respond(to: request) }
    }

    package func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock {
        var fields = upstream.fields(for: refused)
        changer.change.apply(to: &fields, origin: refused.origin)
        return fields
    }

    package func bodyLimit(of head: HTTPRequest) -> Int { upstream.bodyLimit(of: head) }
}

/// The CORS options of the config.
package struct HTTPCORS: Sendable, Hashable {
    /// Origins, or `*` alone for all. Without any, no CORS fields are sent.
    package let allowedOrigins: [String]
    /// Request headers to allow besides conditions and those that the graph consults.
    package let allowedHeaders: [String]
    /// How long a browser may cache the response to a preflight.
    package let maxAge: Duration

    package init(allowedOrigins: [String], allowedHeaders: [String], maxAge: Duration) {
        self.allowedOrigins = allowedOrigins
        self.allowedHeaders = allowedHeaders
        self.maxAge = maxAge
    }
}

/// The header fields that let pages of other origins read responses in browsers (the Fetch standard, 3.2).
///
/// Credentials are not allowed, because no response depends on cookies or passwords.
package struct CORSPolicy: Sendable {
    /// The header fields for one origin, or for all of them.
    private struct Grant {
        let head: HTTPHeaderBlock
        let preflight: HTTPResponse

        /// Cannot fail: the config was checked.
        init(to origin: String, headers: String, maxAge: Duration) {
            func block(_ fields: [(String, String)]) -> HTTPHeaderBlock {
                var block = HTTPHeaderBlock()
                for (name, value) in fields {
                    do { try block.append(name, value) } catch { preconditionFailure("\(error)") }
                }
                return block
            }
            let allowed = ("Access-Control-Allow-Origin", origin)
            head = block([allowed, ("Access-Control-Expose-Headers", CORSPolicy.exposed)])
            preflight = HTTPResponse(
                status: .noContent,
                headers: block([
                    allowed, ("Access-Control-Allow-Methods", "GET, HEAD"), ("Access-Control-Allow-Headers", headers),
                    ("Access-Control-Max-Age", "\(maxAge.components.seconds)"),
                    ("Vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"),
                ]))
        }
    }

    private enum Grants {
        case everyone(Grant)
        case listed([String: Grant])
    }

    private let grants: Grants
    private static let conditions = ["If-Match", "If-Modified-Since", "If-None-Match", "If-Unmodified-Since"]
    /// The response headers that pages may read besides the safelisted ones, such as `Cache-Control`.
    private static let exposed =
        "Age, Allow, Cache-Status, Date, ETag, Larder-Variant, Link, RateLimit, RateLimit-Policy, Retry-After, Vary, "
        + "WWW-Authenticate, X-Request-Id"

    /// The policy of a config; nil if it allows no origin.
    ///
    /// - Parameter consulted: the request headers that the graph consults.
    package init?(_ configuration: HTTPCORS, consulted: [String]) {
        guard !configuration.allowedOrigins.isEmpty else { return nil }
        let headers = (Self.conditions + consulted + configuration.allowedHeaders).joined(separator: ", ")
        let grant = { Grant(to: $0, headers: headers, maxAge: configuration.maxAge) }
        grants =
            if configuration.allowedOrigins == ["*"] {
                .everyone(grant("*"))
            } else {
                .listed(Dictionary(configuration.allowedOrigins.map { ($0, grant($0)) }) { first, _ in first })
            }
    }

    /// The response to a preflight; nil for other requests and for an origin that is not allowed.
    func preflight(for request: HTTPRequest) -> HTTPResponse? {
        guard request.method == .options, request.header("Access-Control-Request-Method") != nil,
            let origin = request.header("Origin")
        else { return nil }
        return grant(to: origin)?.preflight
    }

    /// Adds the fields for an origin, and `Vary` where the fields differ between origins.
    func apply(to headers: inout HTTPHeaderBlock, origin: @autoclosure () -> String?) {
        switch grants {
        case .everyone(let grant): headers.append(grant.head)
        case .listed:
            headers.append("Origin", toList: "Vary")
            if let origin = origin(), let grant = grant(to: origin) {
                headers.append(grant.head)
            }
        }
    }

    private func grant(to origin: String) -> Grant? {
        switch grants {
        case .everyone(let grant): grant
        case .listed(let grants): grants[origin]
        }
    }
}

extension CORSPolicy: HTTPOutcomeChange {
    package func response(for outcome: Result<HTTPResponse, any Error>, to request: HTTPRequest) throws -> HTTPResponse
    {
        do {
            return allowed(try outcome.get(), for: request)
        } catch let error as any HTTPResponseError {
            return allowed(error.response, for: request)
        } catch {
            throw HTTPUnexpectedError(cause: error, response: allowed(HTTPResponse(for: error), for: request))
        }
    }

    private func allowed(_ response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
        var response = response
        apply(to: &response.headers, origin: request.header("Origin"))
        return response
    }
}
