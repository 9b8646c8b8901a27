internal import CEventShim

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
