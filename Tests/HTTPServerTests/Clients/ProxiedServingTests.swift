import TestSupport
import Testing

@testable import HTTPServer

/// A server whose clients, all on 127.0.0.1, are proxies or not.
@Suite struct ProxiedServingTests {
    private static func options(
        _ naming: TrustedProxies.Naming, trusting network: String = "127.0.0.0/8", perAddress: Int = 0
    ) throws -> HTTPServerOptions {
        var options = HTTPServerOptions()
        options.proxies = TrustedProxies(naming: naming, networks: [try #require(AddressNetwork(network))])
        options.maximumConnectionsPerAddress = perAddress
        return options
    }

    private static func naming(_ manner: Manner = .atHand) -> any HTTPHandler {
        manner.handler { HTTPResponse(status: .ok, body: HTTPBody(text: "\($0.client) by \($0.peer)")) }
    }

    static let version2 = [UInt8]("\r\n\r\n\0\r\nQUIT\n".utf8)

    /// A version 2 header with an IPv4 client, and what is behind its addresses.
    static func header(
        _ client: [UInt8] = [192, 0, 2, 1], command: UInt8 = 0x21, family: UInt8 = 0x11, more: [UInt8] = []
    ) -> [UInt8] {
        let rest = client + [10, 0, 0, 1, 0x12, 0x34, 0, 80] + more
        return version2 + [command, family, UInt8(rest.count >> 8), UInt8(rest.count & 255)] + rest
    }

    @Test(arguments: Manner.allCases)
    func `a trusted peer names the client of each request`(_ manner: Manner) async throws {
        try await withServer(options: try Self.options(.xForwardedFor), Self.naming(manner)) { _, port in
            try await withClient(port) { client throws in
                for address in ["192.0.2.1", "192.0.2.2", "2001:db8::1"] {
                    let answer = try client.get("/", headers: "X-Forwarded-For: 203.0.113.9, \(address)\r\n")
                    #expect(answer.text == "\(address) by 127.0.0.1")
                }
                #expect(try client.get("/").text == "127.0.0.1 by 127.0.0.1")
            }
        }
    }

    @Test(arguments: Manner.allCases, [TrustedProxies.Naming.xForwardedFor, .forwarded])
    func `no field of another peer is read`(_ manner: Manner, _ naming: TrustedProxies.Naming) async throws {
        let options = try Self.options(naming, trusting: "10.0.0.0/8")
        try await withServer(options: options, Self.naming(manner)) { _, port in
            try await withClient(port) { client throws in
                let fields = "X-Forwarded-For: 203.0.113.9\r\nForwarded: for=203.0.113.9\r\n"
                #expect(try client.get("/", headers: fields).text == "127.0.0.1 by 127.0.0.1")
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func `a PROXY header names the client of the connection`(_ transport: Transport) async throws {
        let headers: [([UInt8], String)] = [
            ([UInt8]("PROXY TCP4 192.0.2.1 10.0.0.1 4711 80\r\n".utf8), "192.0.2.1"),
            ([UInt8]("PROXY TCP6 2001:db8::1 fd00::1 4711 80\r\n".utf8), "2001:db8::1"),
            ([UInt8]("PROXY TCP6 ::ffff:192.0.2.1 fd00::1 4711 80\r\n".utf8), "192.0.2.1"),
            ([UInt8]("PROXY UNKNOWN\r\n".utf8), "127.0.0.1"),
            ([UInt8]("PROXY UNKNOWN ffff::1 ::1 0 0\r\n".utf8), "127.0.0.1"),
            (Self.header(), "192.0.2.1"), (Self.header(command: 0x20), "127.0.0.1"),
            (Self.header(more: [4, 0, 1, 0] + Array(repeating: 4, count: 3000)), "192.0.2.1"),
            (Self.header(family: 0x00), "127.0.0.1"),
        ]
        try await withServer(
            options: try Self.options(.proxyProtocol), certificate: try transport.certificate, Self.naming()
        ) { server, port in
            try await onThread { () throws in
                for (header, address) in headers {
                    let client = try RawClient(port: port, preface: header, tls: transport.offer)
                    for _ in 0..<2 {
                        let answer = try client.get("/", headers: "X-Forwarded-For: 203.0.113.9\r\n")
                        #expect(answer.text == "\(address) by \(address)")
                    }
                }
            }
            #expect(await server.refusalCounts() == [:])
        }
    }

    @Test(arguments: Transport.allCases)
    func `a PROXY header may come byte by byte, and with the first request`(_ transport: Transport) async throws {
        try await withServer(
            options: try Self.options(.proxyProtocol), certificate: try transport.certificate, Self.naming()
        ) { server, port in
            try await onThread { () throws in
                let client = try RawClient(port: port)
                for byte in Self.header(more: [1, 2, 3]) {
                    try client.send([byte])
                    try BlockingPause.oneMillisecond()
                }
                if transport == .plain {
                    #expect(try client.get("/").text == "192.0.2.1 by 192.0.2.1")
                    let whole = try RawClient(port: port)
                    try whole.send(Self.header() + [UInt8]("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
                    #expect(try whole.receive().text == "192.0.2.1 by 192.0.2.1")
                }
            }
            #expect(await server.refusalCounts() == [:])
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "PROXY\r\n", "PROXY TCP4 192.0.2.1 10.0.0.1 4711\r\n",
        "PROXY TCP4 192.0.2.1 10.0.0.1 4711 65536\r\n", "PROXY TCP4 192.0.2.256 10.0.0.1 4711 80\r\n",
        "PROXY TCP4 2001:db8::1 fd00::1 4711 80\r\n", "PROXY TCP6 192.0.2.1 10.0.0.1 4711 80\r\n",
        "PROXY TCP4 192.0.2.1 10.0.0.1 4711 80 \r\n", "PROXY TCP5 192.0.2.1 10.0.0.1 4711 80\r\n",
        "PROXY TCP4 192.0.2.1\0 10.0.0.1 4711 80\r\n", "proxy TCP4 192.0.2.1 10.0.0.1 4711 80\r\n",
        "PROXY UNKNOWNS\r\n", "PROXY \(String(repeating: "x", count: 102))\r\n", "\r\n\r\n\0\r\nQUIX\n",
    ])
    func `a connection of a proxy without a valid header ends without an answer`(_ input: String) async throws {
        try await withServer(options: try Self.options(.proxyProtocol), Self.naming()) { server, port in
            try await withClient(port) { client throws in
                try client.send(input)
                #expect(try client.isClosedByServer())
            }
            #expect(await server.refusalCounts() == [.proxyHeader: 1])
        }
    }

    @Test(arguments: [
        header(command: 0x11), header(command: 0x22), header(more: Array(repeating: 0, count: 4100)),
        header([1, 2], family: 0x11), header(family: 0x21), header(family: 0x31), header(family: 0x51),
    ])
    func `neither does one of version 2`(_ input: [UInt8]) async throws {
        try await withServer(options: try Self.options(.proxyProtocol), Self.naming()) { server, port in
            try await withClient(port) { client throws in
                try client.send(input)
                #expect(try client.isClosedByServer())
            }
            #expect(await server.refusalCounts() == [.proxyHeader: 1])
        }
    }

    @Test(arguments: [header().count - 1, 0])
    func `a connection that ends within its header is closed at once`(count: Int) async throws {
        try await withServer(options: try Self.options(.proxyProtocol), Self.naming()) { server, port in
            try await withClient(port) { client throws in
                try client.send(Array(Self.header().prefix(count)))
                client.endSending()
                #expect(try client.isClosedByServer())
            }
            #expect(await server.refusalCounts() == (count == 0 ? [:] : [.proxyHeader: 1]))
        }
    }

    @Test func `a client that ends sending with its request behind a whole header is answered`() async throws {
        try await withServer(options: try Self.options(.proxyProtocol), Self.naming()) { _, port in
            try await withClient(port) { client throws in
                try client.send(Self.header() + [UInt8]("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
                client.endSending()
                #expect(try client.receive().text == "192.0.2.1 by 192.0.2.1")
            }
        }
    }

    @Test func `a header that does not come whole ends with the deadline of heads`() async throws {
        var options = try Self.options(.proxyProtocol)
        options.headDeadline = .milliseconds(100)
        try await withServer(options: options, Self.naming()) { server, port in
            try await onThread { () throws in
                let (silent, begun) = (try RawClient(port: port), try RawClient(port: port))
                try begun.send(Array(Self.header().dropLast()))
                #expect(try begun.isClosedByServer())
                #expect(try silent.isClosedByServer())
            }
            #expect(await server.refusalCounts() == [.proxyHeader: 1, .idle: 1])
        }
    }

    @Test func `another peer sends no header, and has none read`() async throws {
        let options = try Self.options(.proxyProtocol, trusting: "10.0.0.0/8")
        try await withServer(options: options, Self.naming()) { server, port in
            try await onThread { () throws in
                #expect(try RawClient(port: port).get("/").text == "127.0.0.1 by 127.0.0.1")
                let forger = try RawClient(port: port)
                try forger.send("PROXY TCP4 203.0.113.9 10.0.0.1 4711 80\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try forger.receive().status == 400)
            }
            #expect(await server.refusalCounts() == [.target: 1])
        }
    }

    @Test func `connections are counted for the client of their PROXY header`() async throws {
        let options = try Self.options(.proxyProtocol, perAddress: 2)
        try await withServer(options: options, Self.naming()) { server, port in
            try await onThread { () throws in
                let clients = try (0..<2).map { _ in try RawClient(port: port, preface: Self.header()) }
                for client in clients { #expect(try client.get("/").status == 200) }
                #expect(try RawClient(port: port, preface: Self.header()).receive().status == 429)
                let other = try RawClient(port: port, preface: Self.header([192, 0, 2, 2]))
                #expect(try other.get("/").status == 200)
            }
            #expect(await server.refusalCounts() == [.addressLimit: 1])
        }
    }

    @Test func `pending requests are counted for the clients that a proxy names`() async throws {
        let gate = Gate()
        let options = try Self.options(.forwarded, perAddress: 2)
        try await withServer(options: options, EchoBehindGate(gate: gate)) { server, port in
            try await onThread { () throws in
                let request = { (client: Int) in "GET / HTTP/1.1\r\nHost: a\r\nForwarded: for=192.0.2.\(client)\r\n\r\n"
                }
                let clients = try (0..<4).map { _ in try RawClient(port: port) }
                for client in clients[..<2] { try client.send(request(1)) }
                while gate.arrived < 2 { try BlockingPause.oneMillisecond() }
                try clients[2].send(request(1))
                let refused = try clients[2].receive()
                #expect(refused.status == 429)
                #expect(refused["Connection"] == nil)
                try clients[3].send(request(2))
                while gate.arrived < 3 { try BlockingPause.oneMillisecond() }
                gate.open()
                for client in clients[..<2] + clients[3...] { #expect(try client.receive().status == 200) }
                try clients[2].send(request(1))
                #expect(try clients[2].receive().status == 200)
            }
            #expect(await server.refusalCounts() == [.addressLimit: 1])
        }
    }

    @Test func `a new connection of a proxy takes no place of a client that has just come`() async throws {
        var options = try Self.options(.proxyProtocol)
        options.maximumConnections = 2
        try await withServer(options: options, Self.naming()) { server, port in
            try await onThread { () throws in
                let honest = try RawClient(port: port, preface: Self.header([192, 0, 2, 1]))
                let idle = try RawClient(port: port, preface: Self.header([192, 0, 2, 2]))
                #expect(try idle.get("/").status == 200)
                let newcomer = try RawClient(port: port, preface: Self.header([192, 0, 2, 3]))
                #expect(try newcomer.get("/").status == 200)
                #expect(try idle.isClosedByServer())
                #expect(try honest.get("/").status == 200)
            }
            #expect(await server.refusalCounts() == [.evicted: 1])
        }
    }
}
