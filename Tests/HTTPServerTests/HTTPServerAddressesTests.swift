import EventLoop
import Glibc
import TestSupport
import Testing

@testable import HTTPServer

/// Servers with several addresses, Unix sockets, and sockets of a service manager.
@Suite struct HTTPServerAddressesTests {
    private static func mode(_ path: String) -> UInt32? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    private static func unix(_ path: String, mode: UInt32 = 0o600) -> HTTPAddress {
        .unix(path: path, mode: mode, owner: nil, group: nil)
    }

    private func with(
        _ addresses: [HTTPAddress], loops count: Int = 2, handler: any HTTPHandler = echo,
        _ body: (HTTPServer) async throws -> Void
    ) async throws {
        let group = try EventLoopGroup(count: count)
        let server = HTTPServer(
            loops: group.loops, addresses: addresses, handlers: group.loops.map { _ in BarePort(handler) },
            onError: { _, _ in })
        try await attempt {
            try await server.start()
            try await body(server)
        } finally: {
            await server.stop(deadline: .zero)
            await group.shutdown()
        }
    }

    @Test func `all of several addresses are served`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory("larder.sock")
        let addresses = [HTTPAddress(host: "127.0.0.1", port: 0), HTTPAddress(host: "::1", port: 0), Self.unix(path)]
        try await with(addresses) { server in
            let port = try #require(server.port)
            try await onThread { () throws in
                for _ in 0..<8 {
                    #expect(try RawClient(port: port).get("/tcp").text == "/tcp")
                    #expect(try RawClient(unix: path).get("/unix").text == "/unix")
                }
            }
        }
    }

    @Test(arguments: [0o600, 0o660, 0o666] as [UInt32])
    func `a Unix socket has its permissions, serves on every loop, and is gone after the stop`(mode: UInt32)
        async throws
    {
        let directory = try TemporaryDirectory()
        let path = directory("larder.sock")
        try await with([Self.unix(path, mode: mode)]) { server in
            #expect(Self.mode(path) == mode)
            #expect(server.port == 0)
            let clients = try await onThread {
                let clients = try (0..<32).map { _ in try RawClient(unix: path) }
                for client in clients {
                    for _ in 0..<2 { #expect(try client.get("/x").text == "/x") }
                }
                return clients
            }
            #expect(await server.connectionCount() == 32)
            for client in clients { client.close() }
        }
        #expect(Self.mode(path) == nil)
    }

    @Test func `a socket that a process has left is replaced, and one in use is an error`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory("larder.sock")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let bound = unsafe withUnsafePointer(to: address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(left, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        close(left)
        try await with([Self.unix(path)]) { _ in
            await #expect(throws: HTTPServerError.addressInUse(Self.unix(path))) {
                try await with([Self.unix(path)]) { _ in }
            }
            try await onThread { () throws in #expect(try RawClient(unix: path).get("/still").text == "/still") }
        }
    }

    @Test func `a path that is no socket stays`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory("file")
        let file = unsafe open(path, O_CREAT | O_WRONLY, 0o600)
        close(file)
        await #expect(throws: HTTPServerError.self) { try await with([Self.unix(path)]) { _ in } }
        #expect(Self.mode(path) == 0o600)
    }

    @Test func `a failed start leaves no socket`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory("larder.sock")
        await #expect(throws: HTTPServerError.self) {
            try await with([Self.unix(path), HTTPAddress(host: "192.0.2.1", port: 0)]) { _ in }
        }
        #expect(Self.mode(path) == nil)
    }

    @Test func `a socket that was handed over serves, and listens on when the server stops`() async throws {
        let (descriptor, port) = LoopbackSocket.listening(backlog: 8)
        defer { close(descriptor) }
        try await with([.inherited(descriptor)]) { server in
            #expect(server.port == UInt16(port))
            try await onThread { () throws in
                for _ in 0..<8 { #expect(try RawClient(port: port).get("/x").text == "/x") }
            }
        }
        let waiting = try await onThread { try RawClient(port: port) }
        try await with([.inherited(descriptor)]) { _ in
            try await onThread { () throws in #expect(try waiting.get("/later").text == "/later") }
        }
    }

    @Test func `a descriptor that does not listen is an error`() async throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        await #expect(throws: HTTPServerError.self) { try await with([.inherited(descriptor)]) { _ in } }
    }
}
