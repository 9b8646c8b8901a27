import FoundationEssentials
import JSON
import Networking
import TestSupport
import Testing

@testable import Service

/// Prices that count for a time.
@Suite(.timeLimit(.minutes(1)))
struct SaleTimesTests {
    @Test
    func `a sale begins and ends at its time, although the catalogue in memory is fresh and its upstream unchanged`()
        async throws
    {
        try await ScriptedShop.with { shop in
            let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_800_000_000))
            shop.serve(
                #"[{"id":1,"name":"Cup","price":9,"sale":5,"from":"2027-01-15T08:10:00Z","to":"2027-01-15T08:20:00Z"}]"#
            )
            let yaml = """
                http: { listen: 127.0.0.1:0, threads: 1, drain: { delay: 1ms, deadline: 10s } }
                admin: { listen: 127.0.0.1:0 }
                serve:
                  type: memory
                  ttl: 1d
                  upstream:
                    type: http
                    timeout: 20s
                    request: { base_url: "http://127.0.0.1:\(shop.port)" }
                    decode:
                      type: physical
                      fields: { price.amount: { path: [sale, price], during: { from: from, to: to } } }
                      constants: { price.currency: EUR }
                """
            let service = try await RunningService(yaml: yaml, clock: clock, log: LogRecorder())
            try await attempt {
                let port = service.application.port
                func price() async throws -> String? {
                    let answer = try await Walk.exchange("GET /products/1", port: port)
                    let json = try answer.flatMap { try JSONParser().parse($0.body).object }
                    return json?["price"]?.object?["amount"]?.number?.literal
                }
                try await eventually { try await price() == "9" }
                clock.advance(by: .seconds(601))
                try await eventually { try await price() == "5" }
                let requests = shop.requests
                #expect(try await price() == "5" && shop.requests == requests)
                clock.advance(by: .seconds(600))
                try await eventually { try await price() == "9" }
            } finally: {
                try await service.stop()
            }
        }
    }
}
