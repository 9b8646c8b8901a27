internal import CEventShim

/// Limits and times of a server.
///
/// A time ends up to a second late, or a quarter of the shortest of them.
package struct HTTPServerOptions: Sendable, Hashable {
    /// Connections open at once, on all loops; zero for no limit. One more takes the place of a connection of its loop
    /// that has been idle for long, or of an old head or TLS handshake that is unfinished after a second, or of an answer
    /// that is taken at less than 64 KiB a second, or of one of an address that has more connections; where there is none
    /// it gets a 503 and is closed.
    package var maximumConnections = 10_000
    /// Connections of one IPv4 address, or of one IPv6 /64, on all loops; zero for no limit. One more gets a 429 and is
    /// closed.
    package var maximumConnectionsPerAddress = 0
    /// Requests whose handlers run at once, on all loops, each loop having an equal share; zero for no limit. One more
    /// gets a 503 with `Retry-After`, unless its answer is at hand.
    package var maximumOutstanding = 1000
    /// Streams open at once (`HTTPEventStream`), on all loops; zero for no limit. One more takes the place of a stream of
    /// an address that has at least two more than its own; where there is none it gets a 503 with `Retry-After`.
    package var maximumStreams = 1024
    /// Paths, as on the request line, that are served beyond `maximumOutstanding`: probes must not fail under load.
    package var alwaysServedPaths: [String] = []
    /// The methods that resources have, where all have the same: a body with another one is refused with 405 and `Allow`,
    /// and not with 413 or 411. Empty: nothing is known of methods here.
    package var methods: Set<HTTPMethod> = []
    /// The target of a request; more is answered with 414.
    package var maximumTargetBytes = 8 * 1024
    /// Request line and header fields together, with their line ends; more is answered with 431.
    package var maximumHeadBytes = 16 * 1024
    /// Header fields of a request; more are answered with 431.
    package var maximumHeaderFields = 100
    /// The longest body of any POST, received whole before a handler sees it. The handler says for the path how
    /// long it may be (`HTTPPortHandler.bodyLimit`); more is answered with 413. Zero, and any other method: no
    /// request has a body.
    package var maximumBodyBytes = 0
    /// Bytes that are kept of requests that are not whole, behind answers, and of bodies that wait for their answers, on
    /// all loops, each having an equal share, but room for one request of any size; zero for no limit. Beyond them the
    /// connections that have kept some for longest are closed.
    package var maximumRequestBytes = 16 << 20
    /// Longest time from the first byte of a head to its last, or to that of its body, answered with 408, and of a TLS
    /// handshake.
    /// Zero: `idleTimeout` counts for both.
    package var headDeadline: Duration = .seconds(10)
    /// Longest silence of a connection between requests; zero for ever.
    package var idleTimeout: Duration = .seconds(60)
    /// Longest time in which a client acknowledges nothing of a response, or not all that a stream was sent before; zero
    /// for ever. Then the connection is reset.
    package var writeTimeout: Duration = .seconds(30)
    /// Bytes a second of an answer that a client must acknowledge on average over each `writeTimeout`: one byte now and
    /// then must not hold an answer for ever.
    package var minimumWriteRate = 512
    /// Longest time of a handler; then the client gets a 504. Zero for ever.
    package var requestDeadline: Duration = .seconds(60)
    /// Connections that the system queues until they are accepted.
    package var backlog = 1024
    /// Whether requests that can be answered at once skip evhttp. Off for debugging and comparison.
    package var usesFastPath = true

    package init() {}
}

extension HTTPServerOptions {
    /// The shim's options for each of so many loops.
    ///
    /// - Parameter tls: encrypts the connections; nil to leave them plain.
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
            request_deadline: milliseconds(requestDeadline), backlog: Int32(clamping: backlog))
    }

    /// One request of any size fits, and what is read behind it.
    private func receivedBytes(loops: Int) -> Int {
        guard maximumRequestBytes > 0 else { return 0 }
        return max(maximumRequestBytes / loops, maximumHeadBytes + maximumBodyBytes + 64 * 1024)
    }

    /// Rounds up to one millisecond: a short time must not become an endless one.
    private func milliseconds(_ duration: Duration) -> UInt32 {
        guard duration > .zero else { return 0 }
        return max(1, UInt32(clamping: Int64(duration / .milliseconds(1))))
    }
}

/// Why a server could not be started.
package enum HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another process listens there, perhaps one of this program.
    case addressInUse(HTTPAddress)
    /// The process may not use the port, as those below 1024.
    case permissionDenied(HTTPAddress)
    /// The host is not a literal and no name the resolver knows; carries the resolver's words.
    case unresolvable(HTTPAddress, reason: String)
    /// The machine has no such address.
    case addressUnavailable(HTTPAddress)
    /// The system refused for another reason; carries its words.
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
