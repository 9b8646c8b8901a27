internal import CEventShim

/// Limits and timeouts of a server.
///
/// A timeout fires up to a second late, or up to a quarter of the shortest timeout.
package struct HTTPServerOptions: Sendable, Hashable {
    /// Connections open at once, on all loops; zero for no limit. A further connection replaces one of its loop: one
    /// that has been idle for long, a head or TLS handshake unfinished after a second, a response read at less than 64
    /// KiB a second, or one of an address with more connections. If there is none, it gets a 503 and is closed.
    package var maximumConnections = 10_000
    /// Connections of one IPv4 address, or of one IPv6 /64, on all loops; zero for no limit. One more gets a 429 and is
    /// closed.
    package var maximumConnectionsPerAddress = 0
    /// Requests whose handlers run at once, on all loops, in equal shares; zero for no limit. A further request gets a
    /// 503 with `Retry-After`, unless its response is immediate.
    package var maximumOutstanding = 1000
    /// Streams open at once (`HTTPEventStream`), on all loops; zero for no limit. A further stream replaces one of an
    /// address with at least two more streams than its own. If there is none, it gets a 503 with `Retry-After`.
    package var maximumStreams = 1024
    /// Paths, as on the request line, that are served beyond `maximumOutstanding`: probes must not fail under load.
    package var alwaysServedPaths: [String] = []
    /// The methods, if all resources have the same ones: a body with any other method is refused with 405 and `Allow`
    /// instead of 413 or 411. Empty if unknown.
    package var methods: Set<HTTPMethod> = []
    /// The longest target of a request; a longer one gets a 414.
    package var maximumTargetBytes = 8 * 1024
    /// The longest head, request line and fields with their line ends; a longer one gets a 431.
    package var maximumHeadBytes = 16 * 1024
    /// The most header fields of a request; more get a 431.
    package var maximumHeaderFields = 100
    /// The longest body of any POST, received whole before the handler is called. `HTTPPortHandler.bodyLimit` sets the
    /// limit of a path; a longer body gets a 413. With zero, and for any other method, no request may have a body.
    package var maximumBodyBytes = 0
    /// Bytes kept of incomplete requests, of requests behind a response in progress, and of bodies whose response is
    /// pending, on all loops in equal shares; zero for no limit. One request of any size always fits. Beyond the limit,
    /// the connections that have kept some for longest are closed.
    package var maximumRequestBytes = 16 << 20
    /// Longest time of a TLS handshake, and from the first byte of a head to the last of head or body (408). Zero:
    /// `idleTimeout` applies to both.
    package var headDeadline: Duration = .seconds(10)
    /// Longest silence of a connection between requests; zero for no limit.
    package var idleTimeout: Duration = .seconds(60)
    /// Longest time for a client to acknowledge part of a response, or all that a stream has sent before. Then the
    /// connection is reset. Zero for no limit.
    package var writeTimeout: Duration = .seconds(30)
    /// Bytes a second that a client must acknowledge on average over each `writeTimeout`, so that a client that reads a
    /// byte now and then cannot occupy a response for ever.
    package var minimumWriteRate = 512
    /// Longest time of a handler; then the client gets a 504. Zero for no limit.
    package var requestDeadline: Duration = .seconds(60)
    /// Connections that the system queues until they are accepted.
    package var backlog = 1024
    /// The proxies that name their clients. With them `maximumConnectionsPerAddress` counts requests with a pending
    /// response, and streams, by client; with a PROXY protocol, connections.
    package var proxies: TrustedProxies?
    /// Whether immediate responses skip evhttp. Off for debugging and comparison.
    package var usesFastPath = true

    package init() {}
}

extension HTTPServerOptions {
    /// The shim's options for each of so many loops.
    ///
    /// - Parameter tls: encrypts the connections; nil for plain ones.
    func shim(loops: Int, limits: ConnectionLimits, tls: OpaquePointer?) -> larder_server_options {
        let outstanding = max(0, maximumOutstanding)
        let served = (0..<LARDER_OTHER.rawValue).filter { methods.contains(HTTPMethod(larder_method(rawValue: $0))) }
        return unsafe larder_server_options(
            limits: limits.shim, streams: limits.streams, tls: tls, max_target_bytes: max(1, maximumTargetBytes),
            max_head_bytes: max(1, maximumHeadBytes), max_fields: UInt32(clamping: maximumHeaderFields),
            max_body_bytes: max(0, maximumBodyBytes), max_received_bytes: receivedBytes(loops: loops),
            methods: served.reduce(0) { $0 | 1 << $1 },
            max_outstanding: UInt32(clamping: outstanding / loops + (outstanding % loops == 0 ? 0 : 1)),
            head_deadline: milliseconds(headDeadline), idle_timeout: milliseconds(idleTimeout),
            write_timeout: milliseconds(writeTimeout), min_write_rate: UInt32(clamping: minimumWriteRate),
            request_deadline: milliseconds(requestDeadline), backlog: Int32(clamping: backlog),
            proxy_protocol: proxies?.naming == .proxyProtocol ? 1 : 0)
    }

    /// At least one request of any size, and what is read behind it.
    private func receivedBytes(loops: Int) -> Int {
        guard maximumRequestBytes > 0 else { return 0 }
        return max(maximumRequestBytes / loops, maximumHeadBytes + maximumBodyBytes + 64 * 1024)
    }

    /// Rounds up to one millisecond, since zero means no limit.
    private func milliseconds(_ duration: Duration) -> UInt32 {
        guard duration > .zero else { return 0 }
        return max(1, UInt32(clamping: Int64(duration / .milliseconds(1))))
    }
}

/// The reason why a server could not be started.
package enum HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another process listens there, perhaps another instance of this program.
    case addressInUse(HTTPAddress)
    /// The process lacks the permission, as for ports below 1024.
    case permissionDenied(HTTPAddress)
    /// The host is neither a literal nor a name that resolves; with the resolver's message.
    case unresolvable(HTTPAddress, reason: String)
    /// The machine has no such address.
    case addressUnavailable(HTTPAddress)
    /// The system refused for another reason; with its message.
    case refused(HTTPAddress, reason: String)
    /// No memory or descriptor is left for a server.
    case noResources
    /// A server starts once.
    case alreadyStarted

    package var description: String {
        switch self {
        case .addressInUse(let address): "cannot listen on \(address): the address is in use"
        case .permissionDenied(let address): "cannot listen on \(address): permission denied"
        case .unresolvable(let address, let reason): "cannot listen on \(address): \(reason)"
        case .addressUnavailable(let address): "cannot listen on \(address): this machine has no such address"
        case .refused(let address, let reason): "cannot listen on \(address): \(reason)"
        case .noResources: "cannot make a server: no memory or too many open files"
        case .alreadyStarted: "the server was started before"
        }
    }
}
