internal import Glibc

/// Ports on which nobody listens.
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
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
        let result = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return result == 0
    }
}
