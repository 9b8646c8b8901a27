import Networking
import TestSupport
import Testing

@testable import Service

@Suite("Probes over HTTP", .timeLimit(.minutes(1)))
struct ProbeRoutesTests {
    @Test("With something to serve all probes are well, on both ports", arguments: [false, true])
    func well(admin: Bool) async throws {
        try await Stand.with { stand in
            _ = try await stand.get("/products")
            for probe in ["/livez", "/readyz", "/healthz"] {
                let response = try await stand.get(probe, admin: admin)
                #expect(response.status == 200)
                #expect(response.text == "ok\n")
                #expect(response.headers["Content-Type"] == "text/plain; charset=utf-8")
                #expect(response.headers["Cache-Control"] == "no-store")
            }
        }
    }

    @Test("The verbose form lists the checks and ends with the verdict", arguments: ["readyz", "healthz"])
    func verbose(name: String) async throws {
        try await Stand.with { stand in
            _ = try await stand.get("/products")
            stand.clock.advance(by: .seconds(3))
            let response = try await stand.get("/\(name)?verbose")
            #expect(response.status == 200)
            #expect(
                response.text == """
                    [+]catalogue ok: 100 products, 3 s old, from network
                    [+]drain ok
                    \(name) check passed

                    """)
        }
    }

    @Test("With the upstream down for long the service is ready still, and says so in the verbose form")
    func readyOffline() async throws {
        try await Stand.with { stand in
            _ = try await stand.get("/products")
            try await stand.shop.fail("down")
            stand.clock.advance(by: .seconds(600))
            _ = try await stand.get("/products")
            #expect(try await stand.get("/readyz").status == 200)
            let verbose = try await stand.get("/readyz?verbose").text
            #expect(verbose.hasPrefix("[+]catalogue ok: 100 products, 600 s old, from network, upstream offline\n"))
        }
    }

    @Test("When the last answer may no longer be served, the service is not ready and answers 503")
    func tooOld() async throws {
        try await Stand.with { stand in
            _ = try await stand.get("/products")
            try await stand.shop.fail("down")
            stand.clock.advance(by: .seconds(3611))
            let readiness = try await stand.get("/readyz")
            #expect(readiness.status == 503)
            #expect(readiness.text.hasPrefix("no catalogue to serve: "))
            #expect(try await stand.get("/products").status == 503)
            #expect(try await stand.get("/livez").status == 200)
        }
    }

    @Test("The port for operators has no products, the port for products has no other method on probes")
    func portsAreApart() async throws {
        try await Stand.with { stand in
            let products = try await stand.get("/products", admin: true)
            #expect(products.status == 400)
            #expect(try await stand.get("/products/1", admin: true).status == 404)
            let posted = try await stand.get("/readyz", method: "POST")
            #expect(posted.status == 405)
        }
    }
}
