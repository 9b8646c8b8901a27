import EventLoop
import Glibc
import TestSupport
import Testing

@Suite struct ServiceManagerTests {
    /// A socket of a manager, and what it is told.
    private final class Socket {
        private let descriptor: Int32
        let path: String
        private let directory: TemporaryDirectory

        init() throws {
            directory = try TemporaryDirectory()
            path = directory("notify")
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
            let bound = unsafe withUnsafePointer(to: address) { address in
                unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            #expect(bound == 0)
        }

        deinit { close(descriptor) }

        func next() -> String {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }

    @Test func `tells each state as a datagram`() throws {
        let socket = try Socket()
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": socket.path]))
        #expect(manager.watchdog == nil)
        #expect(manager.tell(.ready) == 0)
        #expect(socket.next() == "READY=1")
        manager.tell(.alive)
        #expect(socket.next() == "WATCHDOG=1")
        manager.tell(.reloading)
        #expect(socket.next().hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        manager.tell(.stopping)
        #expect(socket.next() == "STOPPING=1")
    }

    @Test func `a manager that is gone is an error and nothing else`() throws {
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": "/nowhere/notify"]))
        #expect(manager.tell(.ready) == ENOENT)
        let long = ServiceManager(environment: ["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 200)])
        #expect(long?.tell(.ready) == EINVAL)
    }

    @Test func `there is none without a socket`() {
        #expect(ServiceManager(environment: [:]) == nil)
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": ""]) == nil)
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "vsock:2:1"]) == nil)
    }

    @Test func `the watchdog of another process is not this one's`() {
        var environment = ["NOTIFY_SOCKET": "@x", "WATCHDOG_USEC": "3000000"]
        #expect(ServiceManager(environment: environment)?.watchdog == .seconds(3))
        environment["WATCHDOG_PID"] = "1"
        #expect(ServiceManager(environment: environment)?.watchdog == nil)
        environment["WATCHDOG_PID"] = "\(getpid())"
        #expect(ServiceManager(environment: environment)?.watchdog == .seconds(3))
        environment["WATCHDOG_USEC"] = "0"
        #expect(ServiceManager(environment: environment)?.watchdog == nil)
    }
}
