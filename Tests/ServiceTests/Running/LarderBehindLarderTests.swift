import HTTPServer
import Networking
import TestSupport
import Testing

/// A service whose source is another one: the age counts from the shop, through every tier.
@Suite(.timeLimit(.minutes(2)))
struct LarderBehindLarderTests {
    /// Runs a test with a service in front of a shop, and one in front of that service.
    private func withTiers(_ body: (_ near: Stand, _ far: Stand) async throws -> Void) async throws {
        try await Stand.with({ $0.isMonitored = false }) { near in
            _ = try await near.warm()
            let port = try near.port()
            try await Stand.with {
                $0.isMonitored = false
                $0.upstream = "127.0.0.1:\(port)"
            } _: { far in
                try await eventually {
                    try await far.get("/products").headers.cacheStatus == "larder; hit; ttl=10, larder; hit; ttl=10"
                }
                try await body(near, far)
            }
        }
    }

    /// Lets the shop fail for this long, and both services notice it.
    private func fail(_ near: Stand, _ far: Stand, for time: Duration) async throws {
        try await near.shop.fail("status=503")
        for stand in [near, far] { stand.clock.advance(by: time) }
        try await eventually {
            try await near.get("/products").headers.cacheStatus?.hasSuffix("detail=offline") == true
        }
        try await eventually {
            try await far.get("/products").headers.cacheStatus?.hasSuffix("ttl=10; detail=source-offline") == true
        }
    }

    @Test func `an outage of the shop is as old behind a second service as at the first, and is told there`()
        async throws
    {
        try await withTiers { near, far in
            #expect(try await far.get("/products").headers.catalogueAge == "0")
            try await fail(near, far, for: .seconds(100))
            let (first, second) = (try await near.get("/products"), try await far.get("/products"))
            #expect(first.headers["Cache-Status"] == "larder; hit; ttl=-90; detail=offline; age=100")
            #expect(
                second.headers["Cache-Status"]
                    == "larder; hit; ttl=-90; detail=offline; age=100, larder; hit; ttl=10; detail=source-offline; age=100"
            )
            #expect(second.headers["Age"] == nil)
            #expect(far.log.count(of: "warning: the source marks its answers as stale") == 1)
            let metrics = try await far.metrics()
            #expect(metrics.value("larder_snapshot_age_seconds", ["provider": "storefront"]) == 100)
            let trouble = ["kind": "source", "part": "storefront"]
            #expect(metrics.value("larder_trouble_since_timestamp_seconds", trouble) == 1_700_000_000)
            let ready = try await far.get("/readyz?verbose", admin: true)
            #expect(ready.status == 200 && ready.text.contains("since its own source fails (larder; hit; ttl=-90"))
            try await near.shop.fail("none")
            try await eventually { try await near.get("/products").headers.catalogueAge == "0" }
            far.clock.advance(by: .seconds(31))
            try await eventually {
                try await far.get("/products").headers["Cache-Status"]?.contains("source-") == false
            }
            #expect(far.log.count(of: "notice: the source gives fresh answers again") == 1)
        }
    }

    @Test func `a restart knows from disk how old the source was, and stale_if_error ends by that age`() async throws {
        try await withTiers { near, far in
            try await fail(near, far, for: .seconds(600))
            _ = try await far.stored()
            try await near.stop()
            try await far.restart()
            try await eventually {
                let status = try await far.get("/products").headers["Cache-Status"] ?? ""
                return status.contains("detail=offline; age=600, larder; hit; ")
                    && status.hasSuffix("detail=offline; age=600")
            }
            // 3,610 s after the shop confirmed the catalogue, and 3,010 s after the service before this one gave it.
            far.clock.advance(by: .seconds(3010))
            #expect(try await far.get("/products").headers.catalogueAge == "3610")
            far.clock.advance(by: .seconds(1))
            #expect(try await far.get("/products").status == 503)
        }
    }

    @Test func `all replicas of a fleet know how old the source of one is, also after a confirmation and a start`()
        async throws
    {
        try await FleetStand.with { fleet in
            let product = #"[{"type":"physical","id":"1","name":"Mug","price":{"amount":1.5,"currency":"EUR"}}]"#
            fleet.shop.serve(
                HTTPResponse(
                    status: .ok,
                    headers: [
                        "Content-Type": "application/json", "Age": "259200",
                        "Cache-Status": "larder; hit; ttl=-259170; detail=offline",
                    ], body: HTTPBody(text: product)))
            func isAged(_ replica: FleetReplica) async throws -> Bool {
                let headers = try await replica.get("/products").headers
                let age = headers.catalogueAge.flatMap { Int($0) } ?? 0
                return (259_200..<259_260).contains(age)
                    && headers["Cache-Status"]?.contains("ttl=-259170; detail=offline, larder; ") == true
            }
            let replicas = try await fleet.start(2)
            for replica in replicas { try await eventually { try await isAged(replica) } }
            let requests = fleet.shop.requests
            for replica in replicas { replica.clock.advance(by: .seconds(31)) }
            for replica in replicas { try await eventually { try await isAged(replica) } }
            try await eventually { fleet.shop.requests > requests }
            fleet.shop.serve(HTTPResponse(status: .serviceUnavailable))
            let late = try await fleet.start(1)[0]
            try await eventually { try await isAged(late) }
        }
    }
}
