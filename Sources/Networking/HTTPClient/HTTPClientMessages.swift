internal import Compression
internal import Concurrency
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
    /// The body; `headers` name its `Content-Type`. A request with a body is not redirected, so the body reaches no
    /// other origin.
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

    /// The reason why the request cannot be sent; nil if it can.
    var fault: String? {
        if !method.utf8.isToken { return "the method is not a word" }
        if !url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return "the URL holds blanks or raw non-ASCII bytes" }
        if !body.isEmpty, method == "GET" || method == "HEAD" { return "a \(method) has no body" }
        return headers.first { !$0.isSendable }.map { "the header \($0.name.debugDescription) cannot be sent" }
    }

    /// Method, place and headers, without user, password, query and body, which may contain secrets.
    package var description: String { "\(method) \(place) \(headers)" }

    /// Equals `description`, so that no secret is printed.
    package var debugDescription: String { description }

    /// Method, place and headers alone.
    package var customMirror: Mirror {
        Mirror(self, children: ["method": method, "url": place, "headers": headers] as KeyValuePairs<String, Any>)
    }

    /// The URL without secrets.
    package var place: String { HTTPClientFailure(url: url, detail: "").place }
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

/// The whole response of an upstream; after redirects, the last one.
public struct HTTPClientResponse: Sendable, Hashable {
    /// 200 to 599.
    package let status: Int
    /// The headers without trailers.
    package let headers: HTTPHeaders
    /// The body, unpacked if the status is 2xx.
    package let body: [UInt8]

    package init(status: Int, headers: HTTPHeaders = HTTPHeaders([]), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether the body is HTML, as sent by gateways and login forms, often with a 200. The header alone does not
    /// decide, since many servers send JSON as `text/html`.
    package var isHTML: Bool {
        let text = body.drop { " \t\r\n\u{FEFF}".utf8.contains($0) }
        guard let first = text.first else { return false }
        let isCalledHTML = headers["Content-Type"]?.lowercased().hasPrefix("text/html") ?? false
        if first == UInt8(ascii: "<") { return isCalledHTML || !text.starts(with: "<?xml".utf8) }
        return isCalledHTML && first != UInt8(ascii: "[") && first != UInt8(ascii: "{")
    }

    /// The seconds of a day; more could overflow.
    private static let longestWait = 86_400

    /// The `Retry-After` header in seconds; nil when it is missing, invalid or a date.
    package var retryAfter: Duration? {
        guard let text = headers["Retry-After"], let seconds = Int(text), seconds >= 0 else { return nil }
        return .seconds(min(seconds, Self.longestWait))
    }

    /// Decodes the body off the event loops, since a large one takes many milliseconds. Only a 2xx is decoded, so that
    /// any other status is reported, whatever its body. A body that is itself a gzip, such as a packed file, is unpacked
    /// without being declared.
    ///
    /// - Throws: `HTTPClientError` when the body is damaged, too large when unpacked, or of an unknown coding.
    func unpacked(for request: HTTPClientRequest) async throws -> HTTPClientResponse {
        let codings = (headers["Content-Encoding"] ?? "").lowercased().split { ", \t".contains($0) }
            .filter { $0 != "identity" }
        guard !codings.isEmpty || GzipReader.isPacked(body), !body.isEmpty, (200..<300).contains(status) else {
            return self
        }
        guard codings.isEmpty || codings == ["gzip"] || codings == ["x-gzip"] else {
            let detail = "in a content coding that was not asked for"
            throw HTTPClientError.protocolViolation(HTTPClientFailure(url: request.url, detail: detail))
        }
        return try await offLoop {
            do throws(GzipReader.Fault) {
                let reader = GzipReader(limit: request.limits.body)
                var body = try codings.isEmpty ? body : reader.unpack(body)
                if GzipReader.isPacked(body) { body = try reader.unpack(body) }
                return HTTPClientResponse(status: status, headers: headers, body: body)
            } catch {
                throw HTTPClientError(error, of: request)
            }
        }
    }
}

extension HTTPClientError {
    fileprivate init(_ fault: GzipReader.Fault, of request: HTTPClientRequest) {
        switch fault {
        case .damaged: self = .protocolViolation(HTTPClientFailure(url: request.url, detail: "\(fault)"))
        case .truncated: self = .truncated(HTTPClientFailure(url: request.url, detail: "\(fault)"))
        case .tooLarge(let limit):
            self = .bodyTooLarge(HTTPClientFailure(url: request.url, detail: "more than \(limit) bytes"))
        }
    }
}
