import FileSystem
import Glibc
import JSON
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct SecretsTests {
    private let directory: TemporaryDirectory
    private let planted: PlantedSecrets

    init() throws {
        directory = try TemporaryDirectory()
        planted = try PlantedSecrets(in: directory)
    }

    @Test
    func `no secret of a config leaves the service but for its upstream, although that tells all of them everybody`()
        async throws
    {
        let upstream = EchoingUpstream.start()
        defer { upstream.stop() }
        let config = try planted.write(upstreamPort: upstream.port, in: directory)
        let service = try LarderProcess(
            ["serve", "--config", config], environment: planted.environment, in: directory)
        defer { service.signal(SIGKILL) }
        let port = try await service.logged("serving", "port")
        let adminPort = try await service.logged("serving", "admin_port")
        try await Visitor.with { visitor in
            try await eventually {
                _ = try await visitor.get(port, "/products")
                let heads = upstream.requestHeads.joined()
                return planted.told.allSatisfy(heads.contains)
            }
            let targets = [
                "/products", "/products/1", "/products/none", "/readyz?verbose", "/healthz?verbose", "/openapi.json",
            ]
            let shown = targets.map { (port, $0) } + Self.operators.map { (adminPort, $0) }
            for (port, target) in shown {
                let answer = try await visitor.get(port, target)
                let text = answer.headers.all.map(\.description).joined() + answer.text
                #expect(planted.leaks(in: text) == [], "\(target)")
            }
        }
        service.signal(SIGTERM)
        #expect(await service.exit() == .init(status: 0, signal: nil))
        #expect(service.count(of: "request") > 0)
        #expect(service.log.contains { $0["provider"] == "all" && $0["reason"] != nil })
        #expect(planted.leaks(in: String(decoding: service.output, as: UTF8.self)) == [])
        #expect(planted.leaks(in: service.error) == [])
        for name in (try? Files.list(directory("store"))) ?? [] where name.hasPrefix("generation-") {
            #expect(
                planted.leaks(in: String(decoding: try Files.read(directory("store/\(name)")), as: UTF8.self)) == [])
        }
    }

    private static let operators = [
        "/graph", "/graph.html", "/metrics", "/readyz?verbose", "/products?explain=1", "/", "/history", "/history.html",
        "/diff?from=newest&to=current", "/quarantine", "/openapi.json",
    ]

    @Test(arguments: [
        ["check"], ["graph"], ["graph", "--format", "mermaid"], ["fetch"],
        ["store", "list"],
    ])
    func `no command tells a secret of a config`(arguments: [String]) async throws {
        let upstream = EchoingUpstream.start()
        defer { upstream.stop() }
        let config = try planted.write(upstreamPort: upstream.port, in: directory)
        let result = try await LarderProcess.run(
            arguments + ["--config", config], environment: planted.environment, in: directory)
        // The upstream echoes, so there is nothing to fetch from it.
        #expect(result.status == (arguments == ["fetch"] ? 1 : 0))
        #expect(!result.output.isEmpty || !result.error.isEmpty)
        #expect(planted.leaks(in: String(decoding: result.output, as: UTF8.self)) == [])
        #expect(planted.leaks(in: result.error) == [])
    }

    @Test func `errors of a config leave out secrets that are in the wrong place`() async throws {
        let secret = "planted-\(UInt32.random(in: 0...UInt32.max))"
        let config = directory("bad.yaml")
        let yaml = """
            analytics:
              google: { type: google_analytics, measurement_id: G-ABC1234567, api_secret: "${SECRET}", x: 1 }
            providers:
              a: { type: http, request: { base_url: "http://larder:\(secret)@shop.example" } }
              b: { type: http, request: { base_url: "http://b.example" }, auth: { type: bearer, token: ["\(secret)"] } }
              c: { type: http, request: { base_url: "http://larder:${SECRET}@shop.example" } }
              d: { type: http, request: { base_url: "http://d.example" }, auth: { type: basic, passwort: "${SECRET}" } }
            serve: { type: merge, providers: [a, b, c, d] }
            """
        try Files.create(config, Array(yaml.utf8))
        let result = try await LarderProcess.run(
            ["check", "--config", config], environment: ["SECRET": secret], in: directory)
        #expect(result.status == 1)
        #expect(result.error.contains("bad.yaml:4:"))
        #expect(!result.error.contains(secret))
        #expect(!String(decoding: result.output, as: UTF8.self).contains(secret))
    }
}
