import HTTPServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TLSRenewalTests {
    @Test func `new connections get the new one, while those that there are keep theirs and are served`() async throws {
        try await withServer(loops: 2, certificate: try .test(.first), echo) { server, port in
            let before = try await onThread { try RawClient(port: port, tls: TLSOffer()) }
            server.renew(try .test(.second))
            try await onThread { () throws in
                for _ in 0..<8 {
                    let after = try RawClient(port: port, tls: TLSOffer())
                    #expect(after.session?.serial == 2)
                    #expect(try after.get("/after").text == "/after")
                }
                #expect(before.session?.serial == 1)
                #expect(try before.get("/before").text == "/before")
            }
        }
    }

    @Test func `loses no request when it is done over and over`() async throws {
        try await withServer(loops: 2, certificate: try .test(.first), echo) { server, port in
            let certificates = [try TLSCertificate.test(.first), try .test(.second)]
            try await withThrowingTaskGroup { group in
                for client in 0..<4 {
                    group.addTask {
                        try await onThread { () throws in
                            for index in 0..<50 {
                                let target = "/\(client)/\(index)"
                                #expect(try RawClient(port: port, tls: TLSOffer()).get(target).text == target)
                            }
                        }
                    }
                }
                for index in 0..<500 {
                    server.renew(certificates[index % 2])
                    await Task.yield()
                }
                try await group.waitForAll()
            }
            #expect(await server.refusalCounts().isEmpty)
        }
    }

    @Test func `leaves a plain server plain`() async throws {
        try await withServer(echo) { server, port in
            server.renew(try .test(.first))
            #expect(try await onThread { try RawClient(port: port).get("/").status } == 200)
        }
    }
}
