import FoundationEssentials
import HTTPServer
import Service
import TestSupport
import Testing

/// A service that has all that a description can be about: every kind of product, audiences, events, and limits that
/// can be reached.
final class DescribedStand {
    /// Before the present, so that the `Date` of the upstream is in its future, which says nothing.
    let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_700_000_000))
    let shop: ScriptedShop
    /// How many connections the port for products may have.
    static let connections = 8
    private let directory: TemporaryDirectory
    private var service: RunningService?

    private init() async throws {
        directory = try TemporaryDirectory()
        shop = try await ScriptedShop()
    }

    /// Runs a test with a service that has nothing to serve yet.
    static func with(limits: String = "", _ body: (DescribedStand) async throws -> Void) async throws {
        let stand = try await DescribedStand()
        stand.shop.serve(HTTPResponse(status: .serviceUnavailable))
        try await attempt {
            stand.service = try await RunningService(
                yaml: stand.yaml(limits: limits), clock: stand.clock, log: LogRecorder())
            try await body(stand)
        } finally: {
            try await stand.service?.stop()
            await stand.shop.close()
        }
    }

    /// Has the upstream serve products of every kind with this name, and waits until they are what is served.
    func serve(_ name: String = "Mug") async throws {
        let items = EveryKind.whole(name) + [EveryKind.other(name)] + EveryKind.bare(name)
        shop.serve("[\(items.joined(separator: ","))]")
        clock.advance(by: .seconds(700))
        let port = try port()
        try await eventually {
            let answer = try await Walk.exchange("GET /products", port: port)
            return answer?.status == 200 && String(decoding: answer?.body ?? [], as: UTF8.self).contains("\(name) 1")
        }
    }

    func port() throws -> Int { try #require(service).application.port }

    private func yaml(limits: String) -> String {
        """
        http:
          listen: 127.0.0.1:0
          threads: 1
          drain: { delay: 1ms, deadline: 10s }
          limits: { connections: \(Self.connections), header_deadline: 500ms\(limits) }
          locales: [de, en]
          pagination: { default_limit: 50, max_limit: 100 }
        admin: { listen: 127.0.0.1:0 }
        analytics: { events: { type: file, path: "\(directory("events.jsonl"))" } }
        providers:
          shop:
            type: http
            timeout: 20s
            request: { base_url: "http://127.0.0.1:\(shop.port)" }
            decode: { unknown_kinds: keep }
          kept: { type: memory, ttl: 10s, stale_while_revalidate: 0s, stale_if_error: 600s, upstream: shop }
          counted: { type: analytics, sink: events, event: products_seen, upstream: kept }
          top: { type: audience, header: X-Tier, cases: { gold: counted }, otherwise: counted }
        serve: top
        """
    }
}
