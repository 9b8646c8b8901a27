import FileSystem
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TLSTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try put(.first)
    }

    /// Puts a certificate and the key of one, in the place of what was there.
    private func put(_ certificate: TestCertificate, keyOf other: TestCertificate? = nil) throws {
        let key = (other ?? certificate).keyPath
        try Files.replace(directory("chain"), with: try Files.read(certificate.path), temporary: directory("new"))
        try Files.replace(directory("key"), with: try Files.read(key), temporary: directory("new"))
    }

    private var http: String {
        "listen: 127.0.0.1:0, tls: { certificate: \"\(directory("chain"))\", key: \"\(directory("key"))\" }"
    }

    /// The status of `/products` on a new connection, and the serial of the certificate.
    private func visit(_ stand: Stand) async throws -> [Int] {
        let client = try await connect(stand)
        return [try await status("/products", client), client.session?.serial ?? 0]
    }

    private func connect(_ stand: Stand) async throws -> RawClient {
        let port = try stand.port()
        return try await BackgroundThread.run { try RawClient(port: port, tls: TLSOffer()) }
    }

    private func status(_ target: String, _ client: RawClient) async throws -> Int {
        try await BackgroundThread.run { try client.get(target).status }
    }

    private func with(_ body: (Stand) async throws -> Void) async throws {
        try await Stand.with({ $0.http = http }) { stand in
            try await eventually { try await stand.get("/readyz", admin: true).status == 200 }
            try await body(stand)
        }
    }

    @Test func `products and probes are encrypted, the operators' port is plain`() async throws {
        try await with { stand in
            #expect(try await visit(stand) == [200, 1])
            let client = try await connect(stand)
            for target in ["/livez", "/readyz", "/products/p-1"] {
                #expect(try await status(target, client) == 200)
            }
            #expect(try await status("/nothing", client) == 404)
            #expect(try await stand.get("/livez", admin: true).status == 200)
            await #expect(throws: (any Error).self) { try await stand.get("/livez") }
            await stand.log.wait(for: "notice: serving")
            #expect(stand.log.metadata(of: "notice: serving").first?["certificate_until"] == "2120-01-01")
        }
    }

    @Test func `a reload renews the certificate for new connections, and a mismatched pair changes nothing`()
        async throws
    {
        try await with { stand in
            let before = try await connect(stand)
            try put(.second)
            #expect(try await visit(stand) == [200, 1])
            try await stand.reload()
            #expect(try await visit(stand) == [200, 2])
            #expect(try await status("/products", before) == 200)
            #expect(before.session?.serial == 1)
            #expect(stand.log.count(of: "warning: some settings take effect after a restart only") == 0)
            try put(.first, keyOf: .second)
            try await stand.reload(stand.settings.yaml, until: "error: reload refused, the old config stays")
            #expect(try await visit(stand) == [200, 2])
            let problem = stand.log.metadata(of: "error: config").compactMap { $0["problem"] }.joined()
            #expect(problem.hasPrefix("test.yaml:2:"))
            #expect(problem.hasSuffix("cannot be used: the private key is not the certificate's"))
        }
    }

    @Test func `the certificate's expiry is a metric`() async throws {
        let name = "larder_tls_certificate_not_after_timestamp_seconds"
        try await with { stand in
            #expect(try await stand.metrics().value(name) == 4_733_510_400)
            try put(.expired)
            try await stand.reload()
            #expect(try await stand.metrics().value(name) == 1_609_459_200)
        }
        try await Stand.with { stand in
            let metrics = try await stand.metrics()
            #expect(metrics.value(name) == nil)
        }
    }

    @Test func `switching TLS takes a restart, as the log says`() async throws {
        try await with { stand in
            let warning = "warning: some settings take effect after a restart only"
            try await stand.reload { $0.http = "listen: 127.0.0.1:0" }
            #expect(stand.log.metadata(of: warning).map { $0["settings"] } == [#"["http.tls"]"#])
            #expect(try await visit(stand) == [200, 1])
            try await stand.restart()
            #expect(try await stand.get("/livez").status == 200)
            try await stand.reload { $0.http = http }
            #expect(stand.log.metadata(of: warning).map { $0["settings"] }.last == #"["http.tls"]"#)
            #expect(try await stand.get("/livez").status == 200)
        }
    }
}
