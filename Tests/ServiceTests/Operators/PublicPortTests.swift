import Networking
import TestSupport
import Testing

@testable import Service

/// The information that the clients' port gives to any client.
@Suite(.timeLimit(.minutes(1)))
struct PublicPortTests {
    /// Words of the config, of the upstream and of operators, none of which clients need.
    private static let hidden = [
        "hidden-path", "hidden-node", "hidden-vault", "hidden-reason", "hidden-call", "hidden-word", "hidden-monitor",
        "localhost", "127.0.0.1", "::1", "connection refused", "Connection refused", "Failed to connect",
        "could not be made", "was refused",
    ]
    /// Targets beside the paths that the port describes.
    private static let targets = [
        "/products", "/products?limit=1", "/products?nonsense=1", "/products/p-1", "/products/none",
        "/changes?since=none",
        "/changes", "/readyz", "/readyz?verbose", "/readyz?verbose&exclude=none", "/healthz?verbose", "/livez?verbose",
        "/openapi.json", "/graph", "/metrics", "/history", "/quarantine", "/refresh", "/hooks/shop", "/hooks/none",
        "/none",
    ]

    /// Every line that a probe may have there.
    private static var knownLine: Regex<AnyRegexOutput> {
        get throws {
            let word = [
                "[0-9]+ products", "[0-9]+ s old", "from (network|store|memory)", "upstream offline", "source stale",
                "[a-z0-9-]{1,32}", "since [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z",
            ].joined(separator: "|")
            return try Regex(
                #"\[\+\][a-z_]+ ok|\[[+-]\][a-z_]+ (ok|warn|failed): (\#(word))(, (\#(word)))*"#
                    + #"|warn: some health checks cannot be excluded: no matches for "none"|[a-z]+ check (passed|failed)"#
            )
        }
    }

    private static func yaml(_ upstream: String, data: String) -> String {
        """
        http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
        admin: { listen: 127.0.0.1:0 }
        stores: { hidden-vault: { type: json_file, directory: "\(data)" } }
        monitors: { hidden-monitor: { type: http, url: "http://\(upstream)/hidden-path", interval: 10ms } }
        hooks: { shop: { signature: github, secret: hush } }
        providers:
          hidden-node: { type: http, request: { base_url: "http://\(upstream)/hidden-path", path: /products } }
          hidden-node-kept: { type: caching, store: hidden-vault, upstream: { type: validated, upstream: hidden-node } }
          hidden-node-local: { type: stored, store: hidden-vault }
          hidden-node-top:
            type: memory
            ttl: 1ms
            hold_off: 1ms
            upstream:
              type: fallback
              primary: { type: reachability, monitor: hidden-monitor, remote: hidden-node-kept, local: hidden-node-local }
              secondary: hidden-node-local
        serve: hidden-node-top
        """
    }

    /// The paths that the port describes, with a word in place of each parameter.
    private func described(_ service: RunningService, _ client: HTTPClient) async throws -> [String] {
        let request = HTTPClientRequest(
            method: "GET", url: "http://127.0.0.1:\(service.application.port)/openapi.json",
            headers: [HTTPHeader("Accept-Encoding", "identity")], limits: .wide)
        let paths = try DocumentedPort(try await client.send(request).body).paths
        #expect(paths.contains("/products"))
        return paths.map { $0.replacing(/\{[^}]*\}/, with: "none") }
    }

    /// Asks for everything in every form, and returns what holds a hidden word.
    private func leaks(_ service: RunningService, _ client: HTTPClient) async throws -> [String] {
        var found: [String] = []
        for target in try await described(service, client) + Self.targets {
            for accept in ["*/*", "application/health+json", "text/html"] {
                for method in ["GET", "POST", "OPTIONS"] {
                    let request = HTTPClientRequest(
                        method: method, url: "http://127.0.0.1:\(service.application.port)\(target)",
                        headers: [HTTPHeader("Accept", accept), HTTPHeader("Accept-Encoding", "identity")],
                        limits: .wide)
                    let response = try await client.send(request)
                    let text = response.headers.all.map(\.description).joined() + response.text
                    found += Self.hidden.filter(text.contains).map { "\(method) \(target) \(accept): \($0)" }
                    guard target.contains("?verbose"), method == "GET", accept != "application/health+json" else {
                        continue
                    }
                    for line in response.text.split(separator: "\n")
                    where try line.wholeMatch(of: Self.knownLine) == nil {
                        found.append("\(target): \(line)")
                    }
                }
            }
        }
        return found
    }

    @Test func `it names no part, no address, no error and no order, whatever is wrong`() async throws {
        let directory = try TemporaryDirectory()
        let shop = ScriptedUpstream { connection in
            while connection.readRequest() != nil { connection.respond(body: HookStand.catalogue(price: "1")) }
        }
        let clock = ManualWallClock()
        let service = try await RunningService(
            yaml: Self.yaml("localhost:\(shop.port)", data: directory("data")), clock: clock, log: LogRecorder())
        let runtime = try Runtime(threads: 1, logger: LogRecorder().logger)
        func ask(_ target: String, admin: Bool, method: String = "GET") async throws -> HTTPClientResponse {
            let port = admin ? service.application.adminPort : service.application.port
            let request = HTTPClientRequest(
                method: method, url: "http://127.0.0.1:\(port)\(target)",
                headers: [HTTPHeader("X-Request-Id", "hidden-call")], limits: .wide)
            return try await runtime.client.send(request)
        }
        try await attempt {
            #expect(try await leaks(service, runtime.client) == [])
            try await eventually { try await ask("/history", admin: true).text.contains("\"generation\":1") }
            let pinned = try await ask("/pin?generation=1&reason=hidden-reason", admin: true, method: "POST")
            #expect(pinned.status == 200)
            #expect(try await ask("/readyz?verbose", admin: true).text.contains("hidden-reason"))
            #expect(try await ask("/readyz?verbose", admin: false).text.contains("[+]pin "))
            #expect(try await leaks(service, runtime.client) == [])
            _ = try await ask("/unpin?confirm=1", admin: true, method: "POST")
            shop.stop()
            try await eventually {
                clock.advance(by: .seconds(1))
                _ = try await ask("/products", admin: false)
                return try await ask("/readyz?verbose", admin: true).text.contains("hidden-path")
            }
            #expect(try await leaks(service, runtime.client) == [])
            let plain = try await ask("/readyz?verbose", admin: false).text
            #expect(plain.contains(/upstream offline, since [0-9]{4}-/))
        } finally: {
            try await service.stop()
            await runtime.shutdown()
        }
    }

    @Test func `before the first catalogue it says no more`() async throws {
        let directory = try TemporaryDirectory()
        let upstream = "localhost:\(try FreePort.pick())"
        let service = try await RunningService(
            yaml: Self.yaml(upstream, data: directory("data")), clock: ManualWallClock(), log: LogRecorder())
        let runtime = try Runtime(threads: 1, logger: LogRecorder().logger)
        try await attempt {
            let found = try await leaks(service, runtime.client)
            #expect(found == [])
        } finally: {
            try await service.stop()
            await runtime.shutdown()
        }
    }
}
