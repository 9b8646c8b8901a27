internal import Text

/// What to ask an upstream for, and how long and how much to take for it.
public struct HTTPClientRequest: Sendable, Hashable {
    /// How many redirects are followed, where they are.
    public static let maxRedirects = 5

    /// `GET`, `HEAD` and so on; case matters.
    public var method: String
    /// `http` or `https`, with everything percent-encoded that has to be.
    public var url: String
    /// Sent beside `Host`, `User-Agent`, `Accept` and `Accept-Encoding`, or in their place.
    public var headers: [HTTPHeader]
    /// What is sent, of the type that a `Content-Type` in `headers` names; empty for nothing. A request with a body is
    /// not redirected: what was meant for one place goes to no other.
    public var body: [UInt8]
    /// How long and how much to take.
    public var limits: HTTPClientLimits
    /// Up to `maxRedirects`, to `http` and `https` only, and never from `https` to `http`. `headers` are sent within the
    /// origin and to `redirectOrigins`; any other origin is asked without them, or not at all where one is sensitive.
    public var followsRedirects: Bool
    /// The origins that may see `headers` as well.
    var redirectOrigins: Set<WebOrigin> = []
    /// Reads the body without keeping it, and ends well at the body limit instead of failing: for probes, which want
    /// the status only.
    public var discardsBody: Bool

    /// Creates a request.
    public init(
        method: String = "GET", url: String, headers: [HTTPHeader] = [], body: [UInt8] = [],
        limits: HTTPClientLimits = HTTPClientLimits(), followsRedirects: Bool = true, discardsBody: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.limits = limits
        self.followsRedirects = followsRedirects
        self.discardsBody = discardsBody
    }

    /// What keeps the request from being sent at all, in words; nil when it can be.
    var fault: String? {
        if !method.utf8.isToken { return "the method is not a word" }
        if !url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return "the URL holds blanks or raw non-ASCII bytes" }
        if !body.isEmpty, method == "GET" || method == "HEAD" { return "a \(method) has no body" }
        return headers.first { !$0.isSendable }.map { "the header \($0.name.debugDescription) cannot be sent" }
    }
}

extension HTTPClientRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method, place and headers. Of the URL no user, password or query, and of the body nothing: they may hold
    /// secrets.
    public var description: String { "\(method) \(place) \(headers)" }

    /// The same.
    public var debugDescription: String { description }

    /// Method, place and headers alone.
    public var customMirror: Mirror {
        Mirror(self, children: ["method": method, "url": place, "headers": headers] as KeyValuePairs<String, Any>)
    }

    /// The URL without what may be secret.
    var place: String { HTTPClientFailure(url: url, detail: "").place }
}

/// How long and how much one exchange may take. The timeouts are counted by libcurl in real time, to the millisecond,
/// and are at least one.
public struct HTTPClientLimits: Sendable, Hashable {
    /// For resolving, connecting and TLS.
    public var connectTimeout: Duration
    /// For everything, redirects and the whole body included.
    public var timeout: Duration
    /// The most bytes of body, after unpacking.
    public var body: Int

    /// Creates limits; the defaults are those of the config.
    public init(
        connectTimeout: Duration = .seconds(1), timeout: Duration = .seconds(2), body: Int = 64 * 1024 * 1024
    ) {
        self.connectTimeout = connectTimeout
        self.timeout = timeout
        self.body = body
    }
}
