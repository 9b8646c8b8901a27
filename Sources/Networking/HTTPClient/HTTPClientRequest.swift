internal import Text

/// A request to an upstream, with its limits.
package struct HTTPClientRequest:
    Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    package static let maxRedirects = 5

    /// Case-sensitive.
    package var method: String
    /// An `http` or `https` URL, percent-encoded.
    package var url: String
    /// Added to `Host`, `User-Agent`, `Accept` and `Accept-Encoding`, or replacing them.
    package var headers: [HTTPHeader]
    /// The body; `headers` name its `Content-Type`. A request with a body is not redirected: it was meant for one place.
    package var body: [UInt8]
    /// The limits of time and size.
    package var limits: HTTPClientLimits
    /// Up to `maxRedirects`, within the origin and to `redirectOrigins`, and never from `https` to `http`.
    package var followsRedirects: Bool
    /// The other origins that redirects may lead to, with all headers.
    var redirectOrigins: Set<WebOrigin> = []
    /// Reads the body without keeping it, and succeeds at the body limit: for probes, which need the status only.
    package var discardsBody: Bool

    package init(
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

    /// Why the request cannot be sent, in words; nil when it can.
    var fault: String? {
        if !method.utf8.isToken { return "the method is not a word" }
        if !url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return "the URL holds blanks or raw non-ASCII bytes" }
        if !body.isEmpty, method == "GET" || method == "HEAD" { return "a \(method) has no body" }
        return headers.first { !$0.isSendable }.map { "the header \($0.name.debugDescription) cannot be sent" }
    }

    /// Method, place and headers, without user, password, query and body, which may hold secrets.
    package var description: String { "\(method) \(place) \(headers)" }

    /// Equals `description`, so that no secret is printed.
    package var debugDescription: String { description }

    /// Method, place and headers alone.
    package var customMirror: Mirror {
        Mirror(self, children: ["method": method, "url": place, "headers": headers] as KeyValuePairs<String, Any>)
    }

    /// The URL without secrets.
    var place: String { HTTPClientFailure(url: url, detail: "").place }
}

/// The limits of one exchange. libcurl counts timeouts in real time, in milliseconds, at least one.
public struct HTTPClientLimits: Sendable, Hashable {
    /// For resolving, connecting and TLS.
    package var connectTimeout: Duration
    /// For the whole exchange, redirects and body included.
    package var timeout: Duration
    /// The most bytes of body, after unpacking.
    package var body: Int

    package init(
        connectTimeout: Duration = .seconds(1), timeout: Duration = .seconds(2), body: Int = 64 * 1024 * 1024
    ) {
        self.connectTimeout = connectTimeout
        self.timeout = timeout
        self.body = body
    }
}
