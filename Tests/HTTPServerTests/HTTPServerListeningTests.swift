import EventLoop
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct HTTPServerListeningTests {
    private func failure(of server: HTTPServer) async -> HTTPServerError? {
        do {
            try await server.start()
            await server.stop(deadline: .zero)
            return nil
        } catch {
            return error
        }
    }

    private func server(_ group: EventLoopGroup, _ host: String, _ port: UInt16) -> HTTPServer {
        HTTPServer(
            loops: group.loops, address: HTTPAddress(host: host, port: port), handler: echo, onError: { _, _ in })
    }

    @Test func `two loops share the port the system chose`() async throws {
        try await withServer(loops: 2, echo) { server, port in
            #expect(port != 0)
            let clients = try await onThread {
                let clients = try (0..<64).map { _ in try RawClient(port: port) }
                for client in clients { _ = try client.get("/") }
                return clients
            }
            #expect(await server.connectionCount() == 64)
            for client in clients { client.close() }
            try await eventually { await server.connectionCount() == 0 }
        }
    }

    @Test func `every loop may have a handler of its own`() async throws {
        let group = try EventLoopGroup(count: 2)
        let handlers = ["first", "second"].map { name in
            BarePort(handler { _ in HTTPResponse(status: .ok, body: HTTPBody(text: name)) })
        }
        let server = HTTPServer(
            loops: group.loops, address: HTTPAddress(host: "127.0.0.1", port: 0), handlers: handlers,
            onError: { _, _ in })
        try await server.start()
        let port = try #require(server.port)
        let answers = try await onThread {
            try (0..<64).map { _ in
                let client = try RawClient(port: port)
                defer { client.close() }
                return try client.get("/").text
            }
        }
        #expect(Set(answers) == ["first", "second"])
        await server.stop(deadline: .zero)
        await group.shutdown()
    }

    @Test func `a port taken by another server of ours is an error`() async throws {
        try await withServer(echo) { _, port in
            let group = try EventLoopGroup(count: 1)
            let second = server(group, "127.0.0.1", port)
            let error = await failure(of: second)
            #expect(error == .addressInUse(HTTPAddress(host: "127.0.0.1", port: port)))
            #expect(error?.description == "cannot listen on 127.0.0.1:\(port): the address is in use")
            await group.shutdown()
        }
    }

    @Test func `a port is free again after the stop`() async throws {
        let group = try EventLoopGroup(count: 2)
        let first = server(group, "127.0.0.1", 0)
        try await first.start()
        let port = try #require(first.port)
        _ = try await onThread { try RawClient(port: port).get("/") }
        await first.stop(deadline: .seconds(20))
        #expect(await failure(of: server(group, "127.0.0.1", port)) == nil)
        await group.shutdown()
    }

    @Test(arguments: ["127.0.0.1", "::1", "localhost", "0.0.0.0", "::"])
    func `listens on`(host: String) async throws {
        let group = try EventLoopGroup(count: 2)
        #expect(await failure(of: server(group, host, 0)) == nil)
        await group.shutdown()
    }

    @Test func `says why it cannot listen`() async throws {
        let group = try EventLoopGroup(count: 1)
        let foreign = await failure(of: server(group, "192.0.2.1", 0))
        #expect(foreign == .addressUnavailable(HTTPAddress(host: "192.0.2.1", port: 0)))
        let unknown = await failure(of: server(group, "no host", 80))
        guard case .unresolvable(_, let reason) = unknown else {
            Issue.record("not unresolvable: \(String(describing: unknown))")
            return
        }
        #expect(!reason.isEmpty)
        await group.shutdown()
    }

    @Test func `runs on a libevent that is not too old`() {
        #expect(HTTPServer.libeventVersion.hasPrefix("2.1.") && LibeventCheck.isSupported)
        #expect(LibeventCheck.isSupported(0x0201_0c00) && LibeventCheck.isSupported(0x0202_0100))
        #expect(!LibeventCheck.isSupported(0x0201_0b00) && !LibeventCheck.isSupported(0x0200_1600))
    }

    @Test func `starts once`() async throws {
        let group = try EventLoopGroup(count: 1)
        let server = server(group, "127.0.0.1", 0)
        try await server.start()
        #expect(await failure(of: server) == .alreadyStarted)
        await server.stop(deadline: .zero)
        #expect(await failure(of: server) == .alreadyStarted)
        await group.shutdown()
    }
}
