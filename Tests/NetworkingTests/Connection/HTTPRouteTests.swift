internal import FileSystem
internal import TestSupport
internal import Testing

@testable internal import Networking

@Suite(.timeLimit(.minutes(1)))
struct HTTPRouteTests {
    private static func options(socket path: String) -> HTTPConnectionOptions {
        var options = HTTPConnectionOptions()
        options.origin = WebOrigin("http://localhost")
        options.unixSocket = path
        return options
    }

    @Test func `a unix socket stands for localhost, keeps its connection, and for no other host`() async throws {
        let directory = try TemporaryDirectory()
        let upstream = ScriptedUpstream(listeningAt: directory("shop.sock"), answering { $0.respond(body: "socket") })
        defer { upstream.stop() }
        try await withClient(against: answering { $0.respond(body: "port") }) { plain, other in
            try await withOptions(Self.options(socket: directory("shop.sock")), of: plain) { client async throws in
                for _ in 0..<2 {
                    #expect(try await client.get("http://localhost/products").body == Array("socket".utf8))
                }
                #expect(try await client.get(other.url).body == Array("port".utf8))
            }
        }
        #expect(upstream.acceptedCount == 1)
        #expect(upstream.requestHeads.allSatisfy { $0.contains("Host: localhost\r\n") })
    }

    @Test func `a socket that nobody has made is named`() async throws {
        let directory = try TemporaryDirectory()
        try await withClient { plain in
            try await withOptions(Self.options(socket: directory("none.sock")), of: plain) { client async throws in
                let error = await #expect(throws: HTTPClientError.self) { try await client.get("http://localhost/") }
                #expect(error?.description.contains("unix:\(directory("none.sock")): No such file") == true)
            }
        }
    }

    @Test(arguments: [(HTTPConnectionOptions.AddressFamily.ipv4, true), (.ipv6, false), (.any, true)])
    func `a host is resolved to addresses of one family`(
        family: HTTPConnectionOptions.AddressFamily, isReached: Bool
    ) async throws {
        var options = HTTPConnectionOptions()
        options.addresses = family
        // It listens on an address of IPv4.
        try await withClient(against: answering { $0.respond() }) { plain, upstream in
            try await withOptions(options, of: plain) { client async throws in
                let request = HTTPClientRequest(url: "http://localhost:\(upstream.port)/", limits: wide)
                let token = try await errorToken(client, request)
                #expect(isReached ? token == nil : ["refused", "unreachable", "resolve"].contains(token))
            }
        }
    }

    @Test func `a server's name takes the place of the host in the URL alone`() {
        var options = HTTPConnectionOptions()
        options.origin = WebOrigin("https://10.0.0.1")
        options.serverName = "shop.internal"
        let route = options.route(to: "https://10.0.0.1/a/../b?c=1#d")
        #expect(route.url == "https://shop.internal:443/a/../b?c=1#d")
        #expect(route.connectTo == "shop.internal:443:10.0.0.1:443")
        #expect(route.hostHeader == "10.0.0.1")
        #expect(options.route(to: "https://other.example/").connectTo == nil)
    }
}
