import FileSystem
import FoundationEssentials
import JSON
import Networking
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1)))
struct ShopTests {
    /// The graph of the settings in the short form.
    private static func short(_ settings: ServiceSettings, _ keys: String = "") -> String {
        """
        http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
        admin: { listen: 127.0.0.1:0 }
        serve:
          type: shop
          url: "http://\(settings.upstream)/products"
          data: "\(settings.data)"
          keep: 3
          ttl: 10s
          stale_while_revalidate: 20s
          stale_if_error: 1h
          hold_off: 50ms
          timeout: 20s
          connect_timeout: 20s
          max_body: 1MiB
          monitor: { type: tcp, address: "\(settings.upstream)", interval: 50ms, timeout: 20s, fall: 2, rise: 1 }\(keys)

        """
    }

    private static let nodes = ["id", "name", "type", "label"]

    @Test func `/graph of the short form is that of the long one`() async throws {
        try await Stand.with { stand in
            _ = try await stand.warm()
            func shape(_ graph: JSONObject) throws -> [JSONValue] {
                let nodes = try #require(graph["nodes"]?.array).compactMap(\.object).map { node in
                    let settings = (node["settings"]?.object?.members ?? []).map {
                        "\($0.key)=\($0.value.string ?? "")"
                    }
                    return JSONValue.array(
                        Self.nodes.map { node[$0] ?? .null } + settings.sorted().map { .string($0) })
                }
                let edges = try #require(graph["edges"]?.array).compactMap(\.object).map { edge in
                    JSONValue.array(["from", "to", "role"].map { edge[$0] ?? .null })
                }
                return nodes + edges + [graph["root"] ?? .null]
            }
            let long = stand.settings.yaml.replacing("\(stand.settings.data)/store", with: stand.settings.data)
            try await stand.reload(long, until: "notice: reloaded")
            let expected = try shape(try await stand.graph())
            #expect(expected.count > 20)
            try await stand.reload(Self.short(stand.settings), until: "notice: reloaded")
            #expect(try shape(try await stand.graph()) == expected)
            // What a reload takes over keeps what it has.
            #expect(try await stand.get("/products").headers.cacheStatus == "larder; hit; ttl=10")
            try await stand.reload(Self.short(stand.settings, "\n  gate: off"), until: "notice: reloaded")
            #expect(try shape(try await stand.graph()) != expected)
        }
    }

    @Test func `a service of one line goes on serving while its upstream is gone, and after a restart`() async throws {
        let shop = try await Shop()
        let (clock, log) = (ManualWallClock(now: Date(timeIntervalSince1970: 1_700_000_000)), LogRecorder())
        let directory = try TemporaryDirectory()
        let yaml = """
            http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
            admin: { listen: 127.0.0.1:0 }
            serve: { type: shop, url: "http://\(shop.address)/products", data: "\(directory.path)", timeout: 20s }

            """
        func total(_ service: RunningService) async throws -> JSONValue? {
            let url = "http://127.0.0.1:\(service.application.port)/products"
            let response = try await shop.client.send(HTTPClientRequest(url: url, limits: .wide))
            return response.status == 200 ? response.json?["total"] : .string("\(response.status)")
        }
        try await attempt {
            var service = try await RunningService(yaml: yaml, clock: clock, log: log)
            try await attempt {
                try await eventually { try await total(service) == 100 }
                try await shop.fail("down")
                clock.advance(by: .seconds(200))
                #expect(try await total(service) == 100)
            } finally: {
                try await service.stop()
            }
            clock.advance(by: .seconds(1000))
            service = try await RunningService(yaml: yaml, clock: clock, log: log)
            try await attempt {
                let kept = try await total(service)
                #expect(kept == 100)
            } finally: {
                try await service.stop()
            }
            #expect(try Files.list(directory.path).contains { $0.hasPrefix("generation-") })
        } finally: {
            await shop.close()
        }
    }
}
