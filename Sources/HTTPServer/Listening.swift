internal import CEventShim

/// A place to listen on.
package enum HTTPAddress: Sendable, Hashable, CustomStringConvertible {
    /// A name, an IPv4 or an IPv6 literal without brackets, and a port, where 0 lets the system choose. The first usable
    /// address of a name counts.
    case tcp(host: String, port: UInt16)
    /// A Unix socket, which is made with these permissions, and this owner and group unless they are nil.
    case unix(path: String, mode: UInt32, owner: UInt32?, group: UInt32?)
    /// A listening socket that a service manager has opened, by its descriptor.
    case inherited(Int32)

    package init(host: String, port: UInt16) { self = .tcp(host: host, port: port) }

    /// Host and port as in a URL, with IPv6 literals in brackets; or the path of a socket.
    package var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path, _, _, _): "unix:\(path)"
        case .inherited(let descriptor): "descriptor \(descriptor)"
        }
    }
}

/// An address that is ready to be listened on, the same for every loop of a server.
struct ListenAddress: @unchecked Sendable {
    private let address: HTTPAddress
    private var shim = larder_address()

    /// Resolves the host and checks that its port is free, or binds a Unix socket. May wait for the resolver.
    init(opening address: HTTPAddress, backlog: Int) throws(HTTPServerError) {
        self.address = address
        var opened = larder_address()
        unsafe try Self.check(address) { words, size in
            switch address {
            case .tcp(let host, let port): unsafe larder_listen_probe(host, port, &opened, words, size)
            case .unix(let path, let mode, let owner, let group):
                unsafe larder_listen_unix(
                    path, mode, owner.map(Int64.init) ?? -1, group.map(Int64.init) ?? -1, Int32(clamping: backlog),
                    &opened, words, size)
            case .inherited(let descriptor): unsafe larder_listen_inherited(descriptor, &opened, words, size)
            }
        }
        shim = opened
    }

    /// Sets the port that the first loop was given.
    mutating func setPort(_ port: UInt16) {
        if case .tcp = address { unsafe larder_address_set_port(&shim, port) }
    }

    func listen(_ server: OpaquePointer) throws(HTTPServerError) {
        var shim = shim
        unsafe try Self.check(address) { words, size in unsafe larder_server_listen(server, &shim, words, size) }
    }

    /// Removes a Unix socket after all loops have stopped.
    mutating func close() { unsafe larder_address_close(&shim) }

    private static func check(
        _ address: HTTPAddress, _ call: (UnsafeMutablePointer<CChar>, Int) -> larder_listen_result
    ) throws(HTTPServerError) {
        var result = LARDER_LISTEN_OK
        let words = unsafe ShimWords.written { text, size in result = unsafe call(text, size) }
        switch result {
        case LARDER_LISTEN_OK: return
        case LARDER_LISTEN_IN_USE: throw .addressInUse(address)
        case LARDER_LISTEN_DENIED: throw .permissionDenied(address)
        case LARDER_LISTEN_UNRESOLVED: throw .unresolvable(address, reason: words)
        case LARDER_LISTEN_UNAVAILABLE: throw .addressUnavailable(address)
        default: throw .refused(address, reason: words)
        }
    }
}

/// Reads error texts that the shim writes into the caller's memory.
enum ShimWords {
    /// Returns the text that the call writes, ended by a NUL; empty if it writes nothing.
    static func written(by call: (UnsafeMutablePointer<CChar>, Int) -> Void) -> String {
        unsafe String(unsafeUninitializedCapacity: 160) { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { text in
                guard let start = text.baseAddress else { return 0 }
                unsafe start[0] = 0
                unsafe call(start, text.count)
                return unsafe text.firstIndex(of: 0) ?? 0
            }
        }
    }
}

/// The limits on connections, in total and by address, and on streams, shared by all loops of a server.
@safe
final class ConnectionLimits: @unchecked Sendable {
    let shim: OpaquePointer
    let streams: OpaquePointer

    /// `nil` when there is no memory.
    init?(_ options: HTTPServerOptions) {
        let made = unsafe larder_limits_new(
            max(0, options.maximumConnections), max(0, options.maximumConnectionsPerAddress))
        guard let made = unsafe made else { return nil }
        guard let streams = unsafe larder_limits_new(max(0, options.maximumStreams), 0) else {
            unsafe larder_limits_release(made)
            return nil
        }
        unsafe shim = made
        unsafe self.streams = unsafe streams
    }

    deinit {
        unsafe larder_limits_release(shim)
        unsafe larder_limits_release(streams)
    }
}
