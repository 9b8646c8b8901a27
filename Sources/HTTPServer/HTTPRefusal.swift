internal import CEventShim

/// The reason why a request did not reach its handler or a connection ended early. The raw value is a metric's label.
package enum HTTPRefusal: String, Sendable, Hashable, CaseIterable {
    /// 400: request line or header fields are not what RFC 9112 allows.
    case malformed
    /// 400: the target is neither a path nor an absolute `http` URL, nor the `*` of OPTIONS.
    case target
    /// 400: no `Host`, several, or one that is no authority.
    case host
    /// 400: `CONNECT`, which is for proxies.
    case connect
    /// 400: `Content-Length` is not one number, or stands beside `Transfer-Encoding`.
    case contentLength = "content_length"
    /// 400: a HEAD request with a body.
    case headBody = "head_body"
    /// 400: `Transfer-Encoding` of HTTP/1.0.
    case oldCoding = "old_coding"
    /// 405: a body with a method that no resource supports.
    case notAllowed = "method_not_allowed"
    /// 408: the head took longer than `headDeadline`.
    case headTimeout = "head_timeout"
    /// 411: a chunked body.
    case chunked
    /// 413: a body that is too long, or not accepted at all.
    case body
    /// 414: the request line is too long.
    case targetSize = "target_size"
    /// 417: `Expect` other than `100-continue`.
    case expectation
    /// 429: the address has too many connections.
    case addressLimit = "address_limit"
    /// 431: the head is too long.
    case headSize = "head_size"
    /// 431: too many header fields.
    case headerFields = "header_fields"
    /// 501: shorter or longer than any known method.
    case method
    /// 501: a transfer coding other than `chunked`.
    case coding
    /// 503: too many connections, and none could be closed for the new one.
    case connections
    /// 503: too many requests are outstanding.
    case overloaded
    /// 503: too many event streams are open.
    case streams
    /// 504: the handler took longer than `requestDeadline`.
    case deadline
    /// 505: another major version than 1.
    case version
    /// Reset: the client read its response or stream too slowly, or was the slowest reader when memory or a place was
    /// needed.
    case slowReader = "slow_reader"
    /// Closed: nothing came for `idleTimeout`.
    case idle
    /// Closed to give its place or memory to another client: idle, an old unfinished request or handshake, or one of
    /// several streams of its address.
    case evicted
    /// Closed: the TLS handshake failed, or took longer than `headDeadline`.
    case tlsHandshake = "tls_handshake"
    /// Closed: more key updates, alerts or renegotiations than any client needs between two requests.
    case tlsFlood = "tls_flood"
    /// Closed: a trusted proxy sent no valid header of the PROXY protocol, or not within `headDeadline`.
    case proxyHeader = "proxy_header"
    /// libevent refused a request that the guard had accepted.
    case unparsed
    /// Reset: libevent and the guard disagree about the end of a request, which is a bug.
    case disagreement
    /// 503, or left in the backlog: the process has no file descriptor left and no connection to close, or the system
    /// lacks another resource.
    case descriptors

    fileprivate var shim: larder_refusal {
        switch self {
        case .malformed: LARDER_REFUSAL_MALFORMED
        case .target: LARDER_REFUSAL_TARGET
        case .host: LARDER_REFUSAL_HOST
        case .connect: LARDER_REFUSAL_CONNECT
        case .contentLength: LARDER_REFUSAL_LENGTH
        case .headBody: LARDER_REFUSAL_HEAD_BODY
        case .oldCoding: LARDER_REFUSAL_OLD_CODING
        case .notAllowed: LARDER_REFUSAL_NOT_ALLOWED
        case .headTimeout: LARDER_REFUSAL_HEAD_TIMEOUT
        case .chunked: LARDER_REFUSAL_CHUNKED
        case .body: LARDER_REFUSAL_BODY
        case .targetSize: LARDER_REFUSAL_TARGET_SIZE
        case .expectation: LARDER_REFUSAL_EXPECTATION
        case .addressLimit: LARDER_REFUSAL_ADDRESS_LIMIT
        case .headSize: LARDER_REFUSAL_HEAD_SIZE
        case .headerFields: LARDER_REFUSAL_FIELDS
        case .method: LARDER_REFUSAL_METHOD
        case .coding: LARDER_REFUSAL_CODING
        case .connections: LARDER_REFUSAL_CONNECTIONS
        case .overloaded: LARDER_REFUSAL_OVERLOADED
        case .streams: LARDER_REFUSAL_STREAMS
        case .deadline: LARDER_REFUSAL_DEADLINE
        case .version: LARDER_REFUSAL_VERSION
        case .slowReader: LARDER_REFUSAL_SLOW_READER
        case .idle: LARDER_REFUSAL_IDLE
        case .evicted: LARDER_REFUSAL_EVICTED
        case .tlsHandshake: LARDER_REFUSAL_HANDSHAKE
        case .tlsFlood: LARDER_REFUSAL_TLS_FLOOD
        case .proxyHeader: LARDER_REFUSAL_PREFACE
        case .unparsed: LARDER_REFUSAL_UNPARSED
        case .disagreement: LARDER_REFUSAL_DISAGREEMENT
        case .descriptors: LARDER_REFUSAL_DESCRIPTORS
        }
    }

    /// The counts of a shim's server, without zeros.
    static func counts(_ server: OpaquePointer) -> [HTTPRefusal: Int] {
        var counts = [UInt64](repeating: 0, count: Int(LARDER_REFUSALS.rawValue))
        unsafe larder_server_refusals(server, &counts)
        let named = allCases.map { ($0, Int(clamping: counts[Int($0.shim.rawValue)])) }
        return Dictionary(uniqueKeysWithValues: named.filter { $0.1 > 0 })
    }
}

/// The response to a request that is refused before any handler is called: the same for every such request.
package struct HTTPRefusalResponse: Sendable, Hashable {
    package let statusCode: Int
    /// The names of its own header fields, in order.
    package let fieldNames: [String]
    /// The body, `application/problem+json`.
    package let body: String

    /// The response for a reason; nil if the connection ends without one.
    package init?(_ refusal: HTTPRefusal) {
        let response = unsafe larder_refusal_response_of(refusal.shim)
        guard unsafe response.status != 0, let fields = unsafe response.fields, let body = unsafe response.body else {
            return nil
        }
        unsafe statusCode = Int(response.status)
        unsafe fieldNames = String(cString: fields).split(separator: "\r\n").map { line in
            String(line.prefix { $0 != ":" })
        }
        unsafe self.body = String(cString: body)
    }
}
