import HTTPServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct TLSHandshakeTests {
    /// What came of a handshake: the version and the protocol, or nil when it failed.
    private func outcome(_ port: UInt16, _ offer: TLSOffer) async throws -> [String?]? {
        try await onThread {
            do {
                let client = try RawClient(port: port, tls: offer)
                #expect(try client.get("/").status == 200)
                return [client.session?.version, client.session?.chosenProtocol]
            } catch is TLSFailure {
                return nil
            }
        }
    }

    @Test(
        arguments: [
            (TLSOffer(.v12 ... .v13), ["TLSv1.3", nil]),
            (TLSOffer(.v12 ... .v12), ["TLSv1.2", nil]),
            (TLSOffer(.v11 ... .v11), nil),
            (TLSOffer(protocols: ["h2", "http/1.1"]), ["TLSv1.3", "http/1.1"]),
            (TLSOffer(.v12 ... .v12, protocols: ["http/1.0", "http/1.1"]), ["TLSv1.2", "http/1.1"]),
            (TLSOffer(protocols: ["http/1.0"]), ["TLSv1.3", "http/1.0"]),
            (TLSOffer(protocols: ["h2"]), nil),
            (TLSOffer(.v12 ... .v12, protocols: ["h2", "h3"]), nil),
        ] as [(TLSOffer, [String?]?)])
    func `ends with the best version and protocol that both speak, or not at all`(offer: TLSOffer, expected: [String?]?)
        async throws
    {
        try await withServer(certificate: try .test(.first), echo) { server, port in
            let outcome = try await outcome(port, offer)
            #expect(outcome == expected)
            #expect(await server.refusalCounts() == (expected == nil ? [.tlsHandshake: 1] : [:]))
            try await eventually { await server.connectionCount() == 0 }
        }
    }

    @Test(arguments: [
        (TLSOffer(.v12 ... .v12, ciphers: "ECDHE-ECDSA-AES128-GCM-SHA256"), true),
        (TLSOffer(.v12 ... .v12, ciphers: "ECDHE-ECDSA-AES256-GCM-SHA384"), true),
        (TLSOffer(.v12 ... .v12, ciphers: "ECDHE-ECDSA-CHACHA20-POLY1305"), true),
        (TLSOffer(.v12 ... .v12, ciphers: "ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA384"), false),
        (TLSOffer(.v12 ... .v12, ciphers: "ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA"), false),
        (TLSOffer(.v12 ... .v12, ciphers: "ECDHE-ECDSA-AES128-CCM:ECDHE-ECDSA-ARIA128-GCM-SHA256"), false),
        (TLSOffer(.v12 ... .v12, groups: "X25519:P-256"), true),
        (TLSOffer(.v12 ... .v12, groups: "P-384:P-256"), true),
        (TLSOffer(.v13 ... .v13, groups: "P-384"), true), (TLSOffer(.v13 ... .v13, groups: "X448:P-521"), false),
        (TLSOffer(.v13 ... .v13, groups: "ffdhe2048"), false),
    ])
    func `by TLS 1.2 takes the suites of Mozilla's intermediate profile alone, by any version its groups alone`(
        offer: TLSOffer, isTaken: Bool
    ) async throws {
        try await withServer(certificate: try .test(.first), echo) { _, port in
            let outcome = try await outcome(port, offer)
            #expect((outcome != nil) == isTaken)
        }
    }

    @Test func `takes TLS 1.3 where that is the minimum`() async throws {
        try await withServer(certificate: try .test(.first, minimumVersion: .v13), echo) { server, port in
            let (old, new) = (
                try await outcome(port, TLSOffer(.v12 ... .v12)), try await outcome(port, TLSOffer(.v12 ... .v13))
            )
            #expect(old == nil)
            #expect(new == ["TLSv1.3", nil])
            #expect(await server.refusalCounts() == [.tlsHandshake: 1])
        }
    }

    @Test func `tells a client that speaks another protocol only that this is why`() async throws {
        try await withServer(certificate: try .test(.first), echo) { _, port in
            let reason = try await onThread {
                do {
                    _ = try RawClient(port: port, tls: TLSOffer(protocols: ["h2"]))
                    return "none"
                } catch TLSFailure.handshake(let reason) {
                    return reason
                }
            }
            #expect(reason == "tlsv1 alert no application protocol")
        }
    }

    @Test func `never answers plain HTTP`() async throws {
        try await withServer(certificate: try .test(.first), echo) { server, port in
            let count = try await withClient(port) { client in
                try client.send(GuardCase.get("/"))
                var count = 0
                while (try? client.receive(count: 1)) != nil { count += 1 }
                return count
            }
            #expect(count < 16)
            #expect(await server.refusalCounts() == [.tlsHandshake: 1])
            #expect(await server.connectionCount() == 0)
        }
    }

    @Test func `is cut at the deadline of a head, whether it stalls or never begins`() async throws {
        var options = HTTPServerOptions()
        options.headDeadline = .milliseconds(200)
        try await withServer(options: options, certificate: try .test(.first), echo) { server, port in
            let times = try await onThread {
                try [[0x16, 0x03, 0x01, 0x02], [UInt8]()].map { beginning in
                    let begin = ContinuousClock.now
                    let client = try RawClient(port: port)
                    try client.send(beginning)
                    #expect(try client.isClosedByServer())
                    return ContinuousClock.now - begin
                }
            }
            #expect(times.allSatisfy { $0 >= .milliseconds(150) })
            #expect(await server.refusalCounts() == [.tlsHandshake: 1, .idle: 1])
        }
    }

    @Test func `counts for nothing when the client only looks whether the port is open`() async throws {
        try await withServer(certificate: try .test(.first), echo) { server, port in
            try await onThread { () throws in
                try RawClient(port: port).close()
                try RawClient(port: port).reset()
                #expect(try RawClient(port: port, tls: TLSOffer()).get("/").status == 200)
            }
            try await eventually { await server.connectionCount() == 0 }
            #expect(await server.refusalCounts().isEmpty)
        }
    }

    @Test
    func `makes room for another one as long as it has not begun, and is not begun where there is no room`()
        async throws
    {
        let gate = Gate()
        let handler = EchoBehindGate(gate: gate)
        var options = HTTPServerOptions()
        options.maximumConnections = 2
        try await withServer(options: options, certificate: try .test(.first), handler) { server, port in
            let busy = try await onThread {
                let silent = try RawClient(port: port)
                let busy = try (0..<2).map { _ in
                    let client = try RawClient(port: port, tls: TLSOffer())
                    try client.send(GuardCase.get("/"))
                    return client
                }
                #expect(try silent.isClosedByServer())
                while gate.arrived < 2 { try BlockingPause.oneMillisecond() }
                #expect(throws: TLSFailure.self) { try RawClient(port: port, tls: TLSOffer()) }
                return busy
            }
            #expect(await server.refusalCounts() == [.evicted: 1, .connections: 1])
            gate.open()
            try await onThread { () throws in
                for client in busy { #expect(try client.receive().status == 200) }
            }
        }
    }
}
