internal import Analytics
internal import Configuration
internal import FileSystem
internal import Logging
internal import TestSupport
internal import Testing

@testable internal import Networking
@testable internal import Wiring

@Suite(.timeLimit(.minutes(1)))
struct ConfiguredConnectionTests {
    private static func provider(_ settings: String, at base: String = "https://shop.example") -> String {
        "providers:\n  p: { type: http, request: { base_url: \"\(base)\" }, \(settings) }\n"
    }

    @Test(arguments: [
        (
            "tls: { ca_file: /none.pem }", "https://shop.example",
            "\"ca_file\": cannot read \"/none.pem\": no such file"
        ),
        (
            "tls: { ca_file: /etc/hostname }", "https://shop.example",
            "\"ca_file\": the file of trusted roots holds no certificate, or a broken one"
        ),
        ("tls: { ca_file: /dev/null }", "https://shop.example", "\"ca_file\": cannot read"),
        ("tls: { certificate: /none.pem }", "https://shop.example", "\"certificate\" and \"key\" belong together"),
        (
            "tls: { certificate: \"CERT\", key: \"CERT\" }", "https://shop.example",
            "\"key\": the key's file holds none, or one with a passphrase"
        ),
        (
            "tls: { certificate: \"CERT\", key: \"OTHER\" }", "https://shop.example",
            "\"key\": the key belongs to another certificate"
        ),
        (
            "tls: { server_name: shop.internal }", "http://shop.example",
            "\"tls\" is for https, which \"base_url\" does not begin with"
        ),
        (
            "tls: { server_name: \"https://shop.internal\" }", "https://shop.example",
            "\"server_name\" must be a host's name, without scheme and port"
        ),
        (
            "proxy: \"socks5://larder:s3cret@p:1\"", "https://shop.example",
            "its scheme is not http; write it like http://proxy.example:3128"
        ),
        ("proxy: \"http://larder:s3cret@p:1/path\"", "https://shop.example", "it must not have a path or a query"),
        ("no_proxy: [shop.example]", "https://shop.example", "without \"proxy\" every host is reached without one"),
        ("resolve: ipv5", "https://shop.example", "did you mean \"ipv"),
        ("timeout: 1s", "unix:run/shop.sock", "after unix: expected the absolute path of a socket"),
        ("timeout: 1s", "unix:", "after unix: expected the absolute path of a socket"),
        (
            "proxy: environment", "unix:/run/shop.sock", "\"proxy\" is for hosts, and \"base_url\" is a unix socket"
        ),
        ("tls: { ca_file: /none.pem }", "unix:/run/shop.sock", "\"tls\" is for https"),
    ])
    func `each bad setting is reported with the reason`(settings: String, base: String, message: String) {
        let settings = settings.replacing("CERT", with: TestCertificate.first.path)
            .replacing("OTHER", with: TestCertificate.second.keyPath)
        let found = networkProblems(Self.provider(settings, at: base))
        #expect(found.count == 1, "\(found)")
        #expect(found.contains { $0.contains(message) }, "\(found)")
        #expect(!found.contains { $0.contains("s3cret") })
    }

    @Test(arguments: [
        ("{ type: tcp, address: \"unix:/run/shop.sock\" }", "a unix socket, which a monitor of type http can ask"),
        ("{ type: http, url: \"http://shop.example\", path: /health }", "the path belongs into \"url\""),
        ("{ type: http, url: \"unix:/run/shop.sock\", path: health }", "\"path\" must begin with /"),
        ("{ type: http, url: \"http://a.example\", tls: { server_name: a } }", "which \"url\" does not begin with"),
    ])
    func `a monitor's address is of its kind`(yaml: String, message: String) {
        let found = networkProblems("monitors:\n  m: \(yaml)\n")
        #expect(found.count == 1 && found[0].contains(message), "\(found)")
    }

    @Test func `to skip the verification is warned of, and nothing else is`() {
        let found = problems(
            Self.provider("tls: { insecure_skip_verify: true, server_name: shop.internal }, proxy: \"http://p:1\""))
        #expect(found.count == 2 && found[0].contains("\"p\" is never used"))
        #expect(found.last?.hasPrefix("f:2:96: warning: with \"insecure_skip_verify\" any server") == true)
    }

    @Test func `a monitor takes the way that it is given`() async throws {
        let proxy = ForwardProxy()
        defer { proxy.stop() }
        try await withClient { client in
            var resources = ComponentResources()
            resources.set(client)
            resources.set(LogRecorder().logger)
            resources.set(MonitorEnvironment(clock: ManualClock()))
            let (_, assembly) = try makeMonitor(
                "{ type: http, url: \"http://a.invalid/\", timeout: 20s, proxy: \"http://127.0.0.1:\(proxy.port)\" }",
                resources: resources)
            let job = try #require(assembly.backgroundJobs.first)
            let task = Task { try await job.run() }
            try await eventually { proxy.requestHeads.first?.hasPrefix("GET http://a.invalid/ ") == true }
            task.cancel()
            try await task.value
            await assembly.shutDown()
        }
    }

    @Test func `a sink takes the way that it is given, up to its last event`() async throws {
        let proxy = ForwardProxy()
        defer { proxy.stop() }
        let directory = try TemporaryDirectory()
        try await withResources(LogRecorder()) { resources in
            let (sink, assembly) = try makeSink(
                """
                { type: google_analytics, measurement_id: G-SHOP1, api_secret: hush, timeout: 20s,
                  endpoint: "http://a.invalid/collect", spool: \(directory("spool")),
                  proxy: "http://127.0.0.1:\(proxy.port)" }
                """, resources: resources)
            #expect(assembly.shutdownHooks.map(\.name) == ["connections of s", "sink s"])
            sink.log(makeEvent("shown"))
            await assembly.shutDown()
            #expect(proxy.requestHeads.first?.hasPrefix("POST http://a.invalid/collect?measurement_id=G-SHOP1") == true)
        }
    }

    @Test func `a unix socket is asked by a monitor, and by a template without a host`() async throws {
        let directory = try TemporaryDirectory()
        let upstream = ScriptedUpstream(listeningAt: directory("shop.sock"), answering { $0.respond() })
        defer { upstream.stop() }
        let template = try makeTemplate("{ base_url: \"unix:/run/shop.sock\", path: /products }")
        #expect(template.unixSocket == "/run/shop.sock")
        #expect(ResolvedRequestTemplate(template).url == "http://localhost/products")
        try await withClient { client in
            var resources = ComponentResources()
            resources.set(client)
            resources.set(LogRecorder().logger)
            resources.set(MonitorEnvironment(clock: ManualClock()))
            let (_, assembly) = try makeMonitor(
                "{ type: http, url: \"unix:\(directory("shop.sock"))\", path: /health, timeout: 20s }",
                resources: resources)
            let job = try #require(assembly.backgroundJobs.first)
            let task = Task { try await job.run() }
            try await eventually { upstream.requestHeads.first?.hasPrefix("GET /health ") == true }
            task.cancel()
            try await task.value
            await assembly.shutDown()
        }
    }
}
