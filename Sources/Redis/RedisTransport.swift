internal import CEventShim
internal import Glibc

/// The settings of a connection beside its address.
struct RedisTarget: Sendable {
    /// The name or address that the server's certificate has to hold.
    let host: String
    /// nil for plain TCP.
    let tls: RedisTLS?
    let maxReply: Int
    let maxOutput: Int
}

/// Trusted roots and the client's own certificate.
@safe
final class RedisTLS: @unchecked Sendable {
    let shim: OpaquePointer

    /// Takes PEM texts; empty ones for the system's roots, and for no certificate. May read the system's roots, so it does
    /// not belong on an event loop.
    init(roots: [UInt8], chain: [UInt8], key: [UInt8]) throws(RedisError) {
        var problem = [CChar](repeating: 0, count: 256)
        let made = unsafe roots.withUnsafeBytes { roots in
            unsafe chain.withUnsafeBytes { chain in
                unsafe key.withUnsafeBytes { key in
                    var source = unsafe larder_redis_tls_source(
                        roots: Self.text(roots), roots_size: roots.count, chain: Self.text(chain),
                        chain_size: chain.count, key: Self.text(key), key_size: key.count)
                    return unsafe larder_redis_tls_new(&source, &problem, problem.count)
                }
            }
        }
        guard let made = unsafe made else {
            let text = problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw .disconnected("TLS: \(String(decoding: text, as: UTF8.self))")
        }
        unsafe shim = made
    }

    deinit { unsafe larder_redis_tls_free(shim) }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> UnsafePointer<CChar>? {
        unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    }
}

/// A `sockaddr` of any family.
struct RedisSocketAddress: Sendable, Hashable {
    let bytes: [UInt8]

    /// The addresses of a host, the preferred one first. Asks the system's resolver, which may take long.
    static func resolve(_ host: String, port: Int) throws(RedisError) -> [RedisSocketAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = unsafe getaddrinfo(host, "\(port)", &hints, &list)
        guard failure == 0 else {
            throw .disconnected("\(host): \(unsafe String(cString: gai_strerror(failure)))")
        }
        defer { unsafe freeaddrinfo(list) }
        var found: [RedisSocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next?.pointee {
            let bytes = unsafe UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen))
            found.append(RedisSocketAddress(bytes: unsafe Array(bytes)))
            unsafe next = entry.ai_next
        }
        return found
    }
}
