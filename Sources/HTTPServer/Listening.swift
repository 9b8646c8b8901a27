internal import CEventShim

/// Where to listen: a name or a literal, and a port.
public struct HTTPAddress: Sendable, Hashable, CustomStringConvertible {
    /// An IPv4 or IPv6 literal (without brackets), or a name, of which the first usable address is taken.
    public var host: String
    /// 0 lets the system choose.
    public var port: UInt16

    /// An address.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// As in a URL, so IPv6 literals in brackets.
    public var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

/// A resolved address, the same for every loop of a server.
struct ListenAddress: @unchecked Sendable {
    let asked: HTTPAddress
    private(set) var shim = larder_address()

    /// Resolves the host and finds out whether its port is free. May wait for the resolver.
    init(probing address: HTTPAddress) throws(HTTPServerError) {
        asked = address
        port = address.port
        var resolved = larder_address()
        unsafe try Self.check(address) { words, size in
            unsafe larder_listen_probe(address.host, address.port, &resolved, words, size)
        }
        shim = resolved
    }

    private(set) var port: UInt16

    mutating func setPort(_ port: UInt16) {
        self.port = port
        unsafe larder_address_set_port(&shim, port)
    }

    func listen(_ server: OpaquePointer) throws(HTTPServerError) {
        var shim = shim
        unsafe try Self.check(asked) { words, size in unsafe larder_server_listen(server, &shim, words, size) }
    }

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

/// Words that a function of the shim writes into memory that it is given.
enum ShimWords {
    /// What the call leaves there: a text with a NUL behind it, or nothing.
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

/// Counts the connections of all loops of a server.
@safe
final class ConnectionCensus: @unchecked Sendable {
    let shim: OpaquePointer

    /// `nil` when there is no memory.
    init?(_ options: HTTPServerOptions) {
        let made = unsafe larder_census_new(
            max(0, options.maximumConnections), max(0, options.maximumConnectionsPerAddress))
        guard let made = unsafe made else { return nil }
        unsafe shim = made
    }

    deinit { unsafe larder_census_release(shim) }
}
