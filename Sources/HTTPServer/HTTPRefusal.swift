internal import CEventShim

/// Why a request was not served by its handler, or a connection ended before its time. The raw value is a metric's
/// label.
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
    /// 405: a body with a method that no resource has.
    case notAllowed = "method_not_allowed"
    /// 408: the head took longer than `headDeadline`.
    case headTimeout = "head_timeout"
    /// 411: a chunked body.
    case chunked
    /// 413: a body.
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
    /// 501: shorter or longer than any method is.
    case method
    /// 501: a transfer coding other than `chunked`.
    case coding
    /// 503: too many connections, none of which could be closed for another.
    case connections
    /// 503: too many requests wait for their answers.
    case overloaded
    /// 503: too many event streams are open.
    case streams
    /// 504: the handler took longer than `requestDeadline`.
    case deadline
    /// 505: another major version than 1.
    case version
    /// Reset: the client took its answer or stream too slowly, or most slowly of all when memory or a place was wanted for
    /// others.
    case slowReader = "slow_reader"
    /// Closed: nothing came for `idleTimeout`.
    case idle
    /// Closed: idle, or with an unfinished request or handshake, for long, or one stream of many of its address, when
    /// another client needed the place or the memory.
    case evicted
    /// Closed: no TLS was agreed on, or not within `headDeadline`.
    case tlsHandshake = "tls_handshake"
    /// Closed: key updates, alerts or requests for a new handshake, more of them than any client needs between two
    /// requests.
    case tlsFlood = "tls_flood"
    /// libevent refused by itself what the guard had let through.
    case unparsed
    /// Reset: libevent and the guard found different ends of a request, which is a mistake of this program.
    case disagreement
    /// 503, or not accepted for now: the process has no file descriptor left and no connection that could be closed for
    /// another, or the system lacks something else.
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
        case .unparsed: LARDER_REFUSAL_UNPARSED
        case .disagreement: LARDER_REFUSAL_DISAGREEMENT
        case .descriptors: LARDER_REFUSAL_DESCRIPTORS
        }
    }

    /// The counts of a shim's server, without the zeros.
    static func counts(_ server: OpaquePointer) -> [HTTPRefusal: Int] {
        var counts = [UInt64](repeating: 0, count: Int(LARDER_REFUSALS.rawValue))
        unsafe larder_server_refusals(server, &counts)
        let named = allCases.map { ($0, Int(clamping: counts[Int($0.shim.rawValue)])) }
        return Dictionary(uniqueKeysWithValues: named.filter { $0.1 > 0 })
    }
}

/// The response to a request that is refused before any handler sees it: the same for every such request.
package struct HTTPRefusalAnswer: Sendable, Hashable {
    package let statusCode: Int
    /// The names of its own fields, in their order.
    package let fieldNames: [String]
    /// The body, `application/problem+json`.
    package let body: String

    /// The answer for a reason; nil where the connection ends without one.
    package init?(_ refusal: HTTPRefusal) {
        let answer = unsafe larder_refusal_answer_of(refusal.shim)
        guard unsafe answer.status != 0, let fields = unsafe answer.fields, let body = unsafe answer.body else {
            return nil
        }
        unsafe statusCode = Int(answer.status)
        unsafe fieldNames = String(cString: fields).split(separator: "\r\n").map { line in
            String(line.prefix { $0 != ":" })
        }
        unsafe self.body = String(cString: body)
    }
}
