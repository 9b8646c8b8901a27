internal import CEventShim

/// An address to listen on: a name or a literal, and a port.
package struct HTTPAddress: Sendable, Hashable, CustomStringConvertible {
    /// An IPv4 or IPv6 literal without brackets, or a name; the first usable address of a name counts.
    package var host: String
    /// 0 lets the system choose.
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Host and port as in a URL: IPv6 literals in brackets.
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

/// A resolved address, the same for every loop of a server.
struct ListenAddress: @unchecked Sendable {
    private let address: HTTPAddress
    private var shim = larder_address()
    private(set) var port: UInt16

    /// Resolves the host and checks that its port is free. May wait for the resolver.
    init(probing address: HTTPAddress) throws(HTTPServerError) {
        self.address = address
        port = address.port
        var resolved = larder_address()
        unsafe try Self.check(address) { words, size in
            unsafe larder_listen_probe(address.host, address.port, &resolved, words, size)
        }
        shim = resolved
    }

    mutating func setPort(_ port: UInt16) {
        self.port = port
        unsafe larder_address_set_port(&shim, port)
    }

    func listen(_ server: OpaquePointer) throws(HTTPServerError) {
        var shim = shim
        unsafe try Self.check(address) { words, size in unsafe larder_server_listen(server, &shim, words, size) }
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
