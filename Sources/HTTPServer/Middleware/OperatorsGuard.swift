internal import Concurrency
internal import Hashing
package import Logging
package import Text
internal import Tracing

/// Passes an order on if it comes from an operator: with the token if one is configured; otherwise from this machine,
/// and only if the port is bound to this machine alone. (A proxy within a pod has this machine's address, but its
/// clients are elsewhere.)
///
/// Browsers send a user's requests for any page, so an order from a page must come from this port's own pages, and
/// without a token under one of this machine's names, since DNS rebinding can point any other name here. Every order is
/// logged; refused ones at most once a minute.
package struct OperatorsGuard: Sendable {
    private let token: (@Sendable () async -> Secret)?
    private let isLocal: Bool
    private let logger: Logger
    private let refused: PacedReports

    /// - Parameters:
    ///   - token: read anew for each order; nil to accept orders from this machine only.
    ///   - isLocal: whether the port is bound to this machine alone. If not, orders need a token.
    ///   - clock: limits the rate of log lines about refused orders.
    package init(
        token: (@Sendable () async -> Secret)?, isLocal: Bool = true, logger: Logger,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.token = token
        self.isLocal = isLocal
        self.logger = logger
        refused = PacedReports(clock: clock)
    }

    /// Wraps the handler of an order.
    package func around(_ handler: some HTTPHandler) -> some HTTPHandler {
        GuardedHandler(upstream: handler, operators: self)
    }

    private struct GuardedHandler: HTTPHandler {
        let upstream: any HTTPHandler
        let operators: OperatorsGuard

        func respond(to request: HTTPRequest) -> EventualResponse {
            .pending {
                let refusal = await operators.refusal(of: request)
                operators.log(request, refusal)
                if let refusal { return refusal.response }
                return try await upstream.respond(to: request).response
            }
        }
    }

    private enum Refusal: String {
        case crossSite = "a page of another site sent the order"
        case noTokenFile = "orders on a port that other machines reach take a token, and admin.token_file names none"
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
            guard isLocal else { return .noTokenFile }
            guard Self.isThisMachine(request.peer) else { return .otherHost }
            if Self.isForwarded(request) { return .forwarded }
            let host = request.header("Host", reading: RequestedHost.longest) ?? ""
            return origin == .ownPage && !Self.isOwnName(host) ? .crossSite : nil
        }
        guard let given = request.header("Authorization").flatMap(Self.bearer) else { return .noToken }
        let wanted = Array(await token().reveal().utf8)
        return MessageAuthentication.areSame(wanted, Array(given.utf8)) ? nil : .wrongToken
    }

    private func log(_ request: HTTPRequest, _ refusal: Refusal?) {
        let limit = 1024
        let count = refusal == nil ? nil : refused.count()
        if refusal != nil, count == nil { return }
        var metadata = request.cause.metadata
        metadata["order"] = "\(TextExcerpt(request.rawPath, limit: limit))"
        metadata["remote"] = "\(request.client)"
        if let query = request.rawQuery { metadata["query"] = "\(TextExcerpt(query, limit: limit))" }
        let items = try? request.queryItems
        if let reason = items?.first(where: { $0.name == "reason" })?.value {
            metadata["reason"] = "\(TextExcerpt(reason, limit: limit))"
        }
        if let refusal { metadata["error"] = "\(refusal.rawValue)" }
        metadata["refused"] = count.map { .stringConvertible($0) }
        logger.notice(refusal == nil ? "operator's order" : "operator's order refused", metadata: metadata)
    }

    /// The token of an `Authorization` field (RFC 6750, 2.1); nil for another scheme.
    private static func bearer(_ field: String) -> String? {
        let scheme = "bearer "
        guard field.prefix(scheme.count).lowercased() == scheme else { return nil }
        let token = field.dropFirst(scheme.count).trimmingPrefix(" ")
        return token.isEmpty ? nil : String(token)
    }

    /// Excludes other loopback addresses: the sidecar of a mesh forwards requests from one, such as 127.0.0.6.
    private static func isThisMachine(_ peer: String) -> Bool {
        ["127.0.0.1", "::1", "::ffff:127.0.0.1"].contains(peer)
    }

    /// Whether a proxy forwarded the request of another machine. A proxy on this machine, such as the sidecar of a
    /// mesh, has this machine's address, but its clients are elsewhere.
    private static func isForwarded(_ request: HTTPRequest) -> Bool {
        ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "X-Envoy-External-Address"]
            .contains { request.header($0) != nil }
    }

    /// Whether a `Host` field has a name that always means this machine.
    private static func isOwnName(_ host: String) -> Bool {
        let host = RequestedHost(host)
        return host.name == "localhost" || host.isAddress && (host.name == "::1" || host.name.hasPrefix("127."))
    }
}

/// The host of a `Host` field, without the port. Read as bytes, since it is checked on the loop for every request to
/// the port.
private struct RequestedHost {
    /// The most bytes of a field: more than a name and a port need.
    static let longest = 300
    /// In lower case; an IPv6 address without brackets.
    let name: String
    let isAddress: Bool

    init(_ field: String) {
        let bytes = field.utf8
        let isBracketed = bytes.first == UInt8(ascii: "[")
        let end = UInt8(ascii: isBracketed ? "]" : ":")
        let host = bytes.dropFirst(isBracketed ? 1 : 0).prefix { $0 != end }
        let lowercased = Substring(host.last == UInt8(ascii: ".") ? host.dropLast() : host).lowercased()
        name = lowercased
        // Anybody can point a name like 127.0.0.1.example here.
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        isAddress = isBracketed || lowercased.utf8.allSatisfy { $0 == UInt8(ascii: ".") || digits.contains($0) }
    }
}

/// The names under which a port for operators answers.
///
/// A page of another site can point its own name here (DNS rebinding), and a browser then lets it read the responses.
/// It cannot do that with an address, or with a name that cannot be registered.
package struct OperatorsNames: Sendable {
    /// Zones of clusters and of private networks.
    private static let privateZones = [".localhost", ".internal", ".svc", ".cluster.local"]
    private let names: Set<String>
    private let zones: [String]

    /// - Parameter names: further names; one with a dot before it includes all names below it.
    package init(_ names: [String]) {
        let names = names.map { $0.lowercased() }
        self.names = Set(names.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 })
        zones = Self.privateZones + names.filter { $0.hasPrefix(".") }
    }

    /// Whether a request with this `Host` is allowed. One without is not from a browser.
    package func contain(_ field: String?) -> Bool {
        guard let field else { return true }
        guard field.utf8.count <= RequestedHost.longest else { return false }
        let host = RequestedHost(field)
        return host.isAddress || !host.name.utf8.contains(UInt8(ascii: ".")) || names.contains(host.name)
            || zones.contains { host.name.hasSuffix($0) }
    }

    /// - Parameter probes: handles requests under other names: balancers probe under names of their own.
    package func middleware(probes: Router) -> HTTPMiddleware {
        { NamedHandler(upstream: $0, probes: probes, names: self) }
    }

    private final class NamedHandler: HTTPPortHandler {
        private let upstream: any HTTPPortHandler
        private let probes: Router
        private let names: OperatorsNames

        init(upstream: any HTTPPortHandler, probes: Router, names: OperatorsNames) {
            (self.upstream, self.probes, self.names) = (upstream, probes, names)
        }

        func respond(to request: HTTPRequest) throws -> EventualResponse {
            let host = request.header("Host", reading: RequestedHost.longest)
            if names.contain(host) { return try upstream.respond(to: request) }
            if probes.routes.contains(where: { request.hasRawPath($0.pattern.description.utf8) }) {
                return try probes.respond(to: request)
            }
            return .ready(Self.misdirected)
        }

        func fields(for refused: HTTPRefusedRequest) -> HTTPHeaderBlock { upstream.fields(for: refused) }

        func bodyLimit(of head: HTTPRequest) -> Int { upstream.bodyLimit(of: head) }

        private static let misdirected = ProblemDetails(
            status: .misdirectedRequest,
            detail: "this port has no such name; admin.allow_hosts lists names that it has"
        ).response()
    }
}

/// The page for which a browser sent a request (the Fetch Metadata standard; RFC 6454 for older browsers).
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
