package import HTTPServer

/// Passes requests on, and tells browsers which pages may read the answers, problems included. Preflights it answers
/// itself.
package struct CORSHandler: HTTPHandler, HTTPOutcomeChanging {
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
    package static func around(
        _ handler: some HTTPHandler, _ policy: CORSPolicy?, preflights observer: any RouteObserver
    ) -> any HTTPHandler {
        guard let policy else { return handler }
        return CORSHandler(upstream: handler, policy: policy, observer: observer)
    }

    package func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        if let preflight = policy.preflight(for: request) {
            observer.answered(request.method, preflight.status, after: 0)
            return .ready(preflight)
        }
        return try changed(request) { try upstream.answer(to: request) }
    }

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

    package func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock {
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

/// The options that say which pages of other origins may read answers in a browser.
package struct HTTPCORS: Sendable, Hashable {
    /// The origins whose pages may; `*` alone stands for all of them. Empty: no CORS fields are sent.
    package let allowedOrigins: [String]
    /// The headers that pages may send beside conditions and those that the graph consults.
    package let allowedHeaders: [String]
    /// How long a browser may keep the answer to a preflight.
    package let maxAge: Duration

    package init(allowedOrigins: [String], allowedHeaders: [String], maxAge: Duration) {
        self.allowedOrigins = allowedOrigins
        self.allowedHeaders = allowedHeaders
        self.maxAge = maxAge
    }
}

/// The permissions of pages of other origins, as CORS headers (the Fetch standard, 3.2).
///
/// There are no credentials: nothing that is served depends on who asks by cookie or password.
package struct CORSPolicy: Sendable {
    /// The headers for one origin, or for all of them.
    fileprivate struct Grant {
        /// Added to every answer.
        let head: HTTPHeaderBlock
        /// The response to the preflight of a request that is not simple.
        let preflight: HTTPResponse
    }

    private enum Grants {
        case everyone(Grant)
        case listed([String: Grant])
    }

    private let grants: Grants
    private static let conditions = ["If-Match", "If-Modified-Since", "If-None-Match", "If-Unmodified-Since"]
    /// The headers that pages may read, beside those they always may (`Cache-Control`, `Content-Type`,
    /// `Last-Modified` and so on).
    fileprivate static let exposed = "Age, Allow, Cache-Status, Date, ETag, Link, Retry-After, Vary, X-Request-Id"

    /// The policy of a config; nil when it allows no origin.
    ///
    /// - Parameter consulted: the headers by which the graph decides, which pages have to be able to send.
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

    /// The answer to a preflight; nil when the request is none, or one of an origin that is not allowed.
    func preflight(for request: HTTPRequest) -> HTTPResponse? {
        guard request.method == .options, request.header("Access-Control-Request-Method") != nil,
            let origin = request.header("Origin")
        else { return nil }
        return grant(to: origin)?.preflight
    }

    /// Adds what an answer says to browsers: whether the page that asked may read it, and, where not all may, that this is
    /// not the same for all.
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

extension CORSPolicy.Grant {
    /// The config was checked, so that all of it may be in a header.
    fileprivate init(to origin: String, headers: String, maxAge: Duration) {
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
