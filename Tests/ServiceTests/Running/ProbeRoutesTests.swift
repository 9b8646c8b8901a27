import JSON
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

    @Test("The verbose form of liveness has one check")
    func liveness() async throws {
        try await Stand.with { stand in
            let response = try await stand.get("/livez?verbose")
            #expect(response.text == "[+]loop ok\nlivez check passed\n")
        }
    }

    @Test("Checks can be left out, and a name that is none's is told of", arguments: [false, true])
    func excluding(admin: Bool) async throws {
        try await Stand.with {
            $0.isMonitored = false
        } _: { stand in
            try await stand.shop.fail("down")
            #expect(try await stand.get("/readyz", admin: admin).status == 503)
            let response = try await stand.get("/readyz?verbose&exclude=catalogue&exclude=etcd", admin: admin)
            #expect(response.status == 200)
            #expect(
                response.text == """
                    [+]catalogue excluded: ok
                    [+]drain ok
                    warn: some health checks cannot be excluded: no matches for "etcd"
                    readyz check passed

                    """)
        }
    }

    @Test("For who asks for it there is JSON, whose ages are those of the moment", arguments: ["readyz", "healthz"])
    func json(name: String) async throws {
        try await Stand.with { stand in
            let accept = [HTTPHeader("Accept", "application/health+json")]
            #expect(try await stand.get("/livez", headers: accept).json?["status"] == "pass")
            _ = try await stand.warm()
            for (seconds, status) in [(3, "pass"), (8, "pass")] {
                stand.clock.advance(by: .seconds(seconds))
                let response = try await stand.get("/\(name)", headers: accept)
                #expect(response.status == 200)
                #expect(response.headers["Content-Type"] == "application/health+json")
                #expect(response.headers["Cache-Control"] == "no-store")
                #expect(response.headers["Vary"] == "Accept")
                #expect(response.json?["status"]?.string == status)
                let age = response.json?["checks"]?.object?["catalogue:age"]?.array?.first?.object
                #expect(age?["observedValue"]?.number?.integer == (seconds == 3 ? 3 : 11))
            }
            let head = try await stand.get("/\(name)", method: "HEAD", headers: accept)
            #expect(head.status == 200)
            #expect(head.headers["Content-Type"] == "application/health+json")
            #expect(head.body.isEmpty)
        }
    }

    @Test("What a refresh has got behind an answer is told at once: an outage that is over is over")
    func recovered() async throws {
        try await Stand.with {
            $0.isMonitored = false
        } _: { stand in
            _ = try await stand.warm()
            try await stand.shop.fail("down")
            stand.clock.advance(by: .seconds(31))
            _ = try await stand.get("/products")
            #expect(try await stand.get("/readyz?verbose").text.contains("upstream failing for "))
            try await stand.shop.fail("none")
            try await eventually {
                _ = try await stand.get("/products")
                return stand.log.count(of: "notice: upstream recovered") > 0
            }
            #expect(try await !stand.get("/readyz?verbose").text.contains("upstream failing for "))
            let graph = try await stand.get("/graph", admin: true)
            #expect(graph.json?["serving"]?.object?["state"] == "fresh")
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
            let start = "[+]catalogue ok: 100 products, 600 s old, from network, upstream failing for 0s (since "
            #expect(verbose.hasPrefix(start))
            #expect(verbose.contains("http://127.0.0.1:"))
        }
    }

    @Test("When the last answer may no longer be served and no other can be had, it answers 503 and is not ready")
    func tooOld() async throws {
        try await Stand.with { stand in
            _ = try await stand.get("/products")
            try await stand.shop.fail("down")
            stand.clock.advance(by: .seconds(3611))
            // Nothing bad is known of the upstream before somebody asks it.
            #expect(try await stand.get("/readyz").status == 200)
            #expect(try await stand.get("/products").status == 503)
            let readiness = try await stand.get("/readyz")
            #expect(readiness.status == 503)
            #expect(readiness.text.hasPrefix("no catalogue to serve: "))
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
