internal import Hashing
package import Logging
package import Text
internal import Tracing

/// Passes orders on to a handler that come from operators: with the token where there is one, else from this machine.
///
/// Browsers send a user's requests for any page, so that an order of a page has to come from this port's own pages; without
/// a token only by this machine's names, since another name could be made to lead here. Every order is logged.
package struct OperatorsGuard: Sendable {
    private let token: (@Sendable () async -> Secret)?
    private let logger: Logger

    /// - Parameter token: read anew for each order; nil to accept orders from this machine only.
    package init(token: (@Sendable () async -> Secret)?, logger: Logger) {
        self.token = token
        self.logger = logger
    }

    /// Wraps the handler of an order.
    package func around(_ handler: some HTTPHandler) -> some HTTPHandler {
        GuardedHandler(upstream: handler, operators: self)
    }

    private struct GuardedHandler: HTTPHandler {
        let upstream: any HTTPHandler
        let operators: OperatorsGuard

        func answer(to request: HTTPRequest) -> HTTPAnswer {
            .pending {
                let refusal = await operators.refusal(of: request)
                operators.log(request, refusal)
                if let refusal { return refusal.response }
                return try await upstream.answer(to: request).response
            }
        }
    }

    private enum Refusal: String {
        case crossSite = "a page of another site sent the order"
        case otherHost = "orders without admin.token_file are taken from this machine only"
        case forwarded = "an order that a proxy has passed on takes the token of admin.token_file"
        case noToken = "the order takes the token of admin.token_file"
        case wrongToken = "the token is not that of admin.token_file"

        var response: HTTPResponse {
            let isChallenge = self == .noToken || self == .wrongToken
            return ProblemDetails(status: isChallenge ? .unauthorized : .forbidden, detail: rawValue)
                .response(headers: isChallenge ? ["WWW-Authenticate": "Bearer"] : [:])
        }
    }

    private func refusal(of request: HTTPRequest) async -> Refusal? {
        let origin = BrowserOrigin(request)
        if origin == .otherSite { return .crossSite }
        guard let token else {
            guard Self.isLoopback(request.peer) else { return .otherHost }
            if Self.isForwarded(request) { return .forwarded }
            return origin == .ownPage && !Self.isOwnName(request.header("Host") ?? "") ? .crossSite : nil
        }
        guard let given = request.header("Authorization").flatMap(Self.bearer) else { return .noToken }
        let wanted = Array(await token().reveal().utf8)
        return MessageAuthentication.areSame(wanted, Array(given.utf8)) ? nil : .wrongToken
    }

    private func log(_ request: HTTPRequest, _ refusal: Refusal?) {
        let limit = 1024
        var metadata = request.cause.metadata
        metadata["order"] = "\(TextExcerpt(request.rawPath, limit: limit))"
        metadata["remote"] = "\(request.peer)"
        if let query = request.rawQuery { metadata["query"] = "\(TextExcerpt(query, limit: limit))" }
        let items = try? request.queryItems
        if let reason = items?.first(where: { $0.name == "reason" })?.value {
            metadata["reason"] = "\(TextExcerpt(reason, limit: limit))"
        }
        if let refusal { metadata["error"] = "\(refusal.rawValue)" }
        logger.notice(refusal == nil ? "operator's order" : "operator's order refused", metadata: metadata)
    }

    /// The token of an `Authorization` field (RFC 6750, 2.1); nil of another scheme.
    private static func bearer(_ field: String) -> String? {
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1].trimmingPrefix(" ").description
    }

    private static func isLoopback(_ peer: String) -> Bool {
        peer == "::1" || peer.hasPrefix("127.") || peer.hasPrefix("::ffff:127.")
    }

    /// Whether a proxy names another machine as the sender. A proxy on this machine, such as the sidecar of a mesh, has this
    /// machine's address, and its clients do not.
    private static func isForwarded(_ request: HTTPRequest) -> Bool {
        ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "X-Envoy-External-Address"]
            .contains { request.header($0) != nil }
    }

    /// Whether a `Host` field has a name that only leads to this machine.
    private static func isOwnName(_ host: String) -> Bool {
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" }.dropFirst() : host.prefix { $0 != ":" }
        // Anybody may have a name like 127.0.0.1.example made to lead here.
        let isAddress = host.hasPrefix("[") || name.allSatisfy { $0 == "." || ("0"..."9").contains($0) }
        return name.lowercased() == "localhost" || isAddress && isLoopback(String(name))
    }
}

/// The page whose request a browser sent (the Fetch Metadata standard; RFC 6454 for older browsers).
private enum BrowserOrigin {
    /// No browser, or no page.
    case none
    case ownPage
    case otherSite

    init(_ request: HTTPRequest) {
        let origin = request.header("Origin")
        if let site = request.header("Sec-Fetch-Site") {
            self = site == "same-origin" ? .ownPage : site == "none" && origin == nil ? .none : .otherSite
        } else if let origin {
            let host = request.header("Host") ?? ""
            self = ["http", "https"].contains { origin == "\($0)://\(host)" } ? .ownPage : .otherSite
        } else {
            self = .none
        }
    }
}
