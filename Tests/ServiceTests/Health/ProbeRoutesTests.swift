import JSON
import Networking
import ServingTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ProbeRoutesTests {
    private let service: InMemoryService

    init() throws { service = try InMemoryService() }

    @Test func `all probes of both ports pass with a catalogue`() async throws {
        _ = try await service.warm()
        for (probe, admin) in ["/livez", "/readyz", "/healthz"].flatMap({ [($0, false), ($0, true)] }) {
            let response = try await service.get(probe, admin: admin)
            #expect(response.status == 200)
            #expect(response.text == "ok\n")
            #expect(response.headers["Content-Type"] == "text/plain; charset=utf-8")
            #expect(response.headers["Cache-Control"] == "no-store")
        }
    }

    @Test func `the verbose form lists the checks and ends with the verdict`() async throws {
        _ = try await service.warm()
        service.clock.advance(by: .seconds(3))
        for name in ["readyz", "healthz"] {
            let response = try await service.get("/\(name)?verbose")
            #expect(response.status == 200)
            let checks = "[+]catalogue ok: 100 products, 3 s old, from network\n[+]drain ok\n"
            #expect(response.text == "\(checks)\(name) check passed\n")
        }
        #expect(try await service.get("/livez?verbose").text == "[+]loop ok\nlivez check passed\n")
    }

    @Test(arguments: [false, true])
    func `checks can be excluded, and unknown names are reported`(admin: Bool) async throws {
        service.shop.fail()
        #expect(try await service.get("/readyz", admin: admin).status == 503)
        let response = try await service.get("/readyz?verbose&exclude=catalogue&exclude=etcd", admin: admin)
        #expect(response.status == 200)
        #expect(
            response.text == """
                [+]catalogue excluded: ok
                [+]drain ok
                warn: some health checks cannot be excluded: no matches for "etcd"
                readyz check passed

                """)
    }

    @Test(arguments: ["readyz", "healthz"])
    func `JSON is for clients that ask for it, with current ages`(name: String) async throws {
        let accept = [HTTPHeader("Accept", "application/health+json")]
        #expect(try await service.get("/livez", headers: accept).json?["status"] == "pass")
        _ = try await service.warm()
        for (seconds, age) in [(3, 3), (8, 11)] {
            service.clock.advance(by: .seconds(seconds))
            let response = try await service.get("/\(name)", headers: accept)
            #expect(response.status == 200)
            #expect(response.headers["Content-Type"] == "application/health+json")
            #expect(response.headers["Cache-Control"] == "no-store")
            #expect(response.headers["Vary"] == "Accept")
            #expect(response.json?["status"] == "pass")
            let check = response.json?["checks"]?.object?["catalogue:age"]?.array?.first?.object
            #expect(check?["observedValue"]?.number?.integer == age)
        }
        let head = try await service.get("/\(name)", method: "HEAD", headers: accept)
        #expect(head.status == 200)
        #expect(head.headers["Content-Type"] == "application/health+json")
        #expect(head.body.isEmpty)
    }

    @Test func `readiness ends when no catalogue can be served`() async throws {
        _ = try await service.get("/products")
        service.shop.fail()
        service.clock.advance(by: .seconds(3611))
        // The upstream counts as good before the first request to it.
        #expect(try await service.get("/readyz").status == 200)
        #expect(try await service.get("/products").status == 503)
        let readiness = try await service.get("/readyz")
        #expect(readiness.status == 503)
        #expect(readiness.text.hasPrefix("no catalogue to serve: "))
        #expect(try await service.get("/livez").status == 200)
    }

    @Test func `the operators' port has no products, and probes take no other method`() async throws {
        let products = try await service.get("/products", admin: true)
        #expect(products.status == 400)
        #expect(try await service.get("/products/1", admin: true).status == 404)
        let posted = try await service.get("/readyz", method: "POST")
        #expect(posted.status == 405)
    }
}
