internal import Glibc

/// The few socket calls the tests need, on 127.0.0.1 and at paths only.
public enum LoopbackSocket {
    /// A listening socket, on a port of the system's choice unless one is given.
    public static func listening(on port: Int = 0, backlog: Int32) -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(port: port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(descriptor, generic, length) == 0 && listen(descriptor, backlog) == 0
                    && getsockname(descriptor, generic, &length) == 0
            }
        }
        precondition(bound, "no listening socket: errno \(errno)")
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// A listening unix socket at a path.
    static func listening(at path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let isBound = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                    && listen(descriptor, 16) == 0
            }
        }
        precondition(isBound, "no listening socket at \(path): errno \(errno)")
        return descriptor
    }

    /// A socket that has begun to connect, and may never have done.
    public static func connecting(to port: Int) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = loopback(port: port)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = unsafe connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return descriptor
    }

    /// Returns a port that has no listener any more.
    public static func closedPort() -> Int {
        let (descriptor, port) = listening(backlog: 1)
        close(descriptor)
        return port
    }

    static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return address
    }
}

/// Ports without a listener.
public enum FreePort {
    /// Below the range from which the system gives ports of its own choice, so that no other test is given it meanwhile.
    public static func pick() throws -> Int {
        for _ in 0..<100 {
            let port = Int.random(in: 15_000..<32_000)
            if isFree(port) { return port }
        }
        throw NoFreePort()
    }

    /// A hundred ports were tried, and all were taken.
    public struct NoFreePort: Error {}

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = LoopbackSocket.loopback(port: port)
        let result = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return result == 0
    }
}
