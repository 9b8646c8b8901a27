import JSON
import Networking
import Service
import TestSupport
import Testing

/// Webhooks over sockets, with a shop that sends them before its API shows the change.
@Suite(.timeLimit(.minutes(2)))
struct HooksRoutesTests {
    private static let gaveUp = "info: hook received, catalogue unchanged"
    private static let brought = "info: hook received, catalogue changed"

    private func pass(_ pause: Duration, _ stand: HookStand) async {
        await stand.pauses.waitForSleepers()
        stand.pauses.advance(by: pause)
    }

    @Test func `a price committed after its hook is served within the next pause`() async throws {
        try await HookStand.with { stand in
            let response = try await stand.hook()
            #expect(response.status == 202 && response.body.isEmpty)
            #expect(response.headers["Cache-Control"] == "no-store")
            await stand.shop.wait(forRequests: 2)
            await pass(.seconds(2), stand)
            await stand.pauses.waitForSleepers()
            #expect(stand.shop.requests == 3)
            stand.shop.serve(HookStand.catalogue(price: "1.35"))
            await pass(.seconds(10), stand)
            await stand.log.wait(for: Self.brought)
            #expect(try await stand.serves(price: "1.35"))
            #expect(stand.shop.requests == 4)
            #expect(stand.pauses.sleepers == 0)
            #expect(try await stand.count("accepted") == 1)
        }
    }

    @Test func `ten thousand hooks cause four requests`() async throws {
        try await HookStand.with { stand in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for crowd in 0..<20 {
                    group.addTask {
                        for number in 0..<500 { try await stand.hook(body: "\(crowd)-\(number)") }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await stand.count("accepted") == 10_000)
            for pause in [2, 10, 60] { await pass(.seconds(pause), stand) }
            await stand.log.wait(for: Self.gaveUp)
            #expect(stand.shop.requests == 1 + 4)
            #expect(stand.pauses.sleepers == 0)
        }
    }

    @Test func `what is not signed as it has to be costs the shop nothing`() async throws {
        try await HookStand.with { stand in
            let unsigned = try await stand.post("/hooks/shop", body: "{}")
            #expect(unsigned.isProblem(401) && unsigned.headers["WWW-Authenticate"] == "Signature")
            let forged = try await stand.hook(secret: "guessed")
            #expect(forged.isProblem(401) && forged.body == unsigned.body)
            #expect(try await stand.hook("other").isProblem(413))
            #expect(try await stand.post("/hooks/other", body: "").isProblem(404))
            #expect(try await stand.hook(body: String(repeating: "x", count: 64 * 1024 + 1)).status == 413)
            #expect(try await stand.get("/hooks/shop").isProblem(405))
            #expect(try await stand.get("/hooks/shop").headers["Allow"] == "OPTIONS, POST")
            #expect(try await stand.hook(method: "PUT").isProblem(405))
            #expect(try await stand.count("forged") == 2)
            #expect(try await stand.count("accepted") == 0)
            #expect(stand.shop.requests == 1 && stand.pauses.sleepers == 0)
            #expect(stand.log.metadata(of: "warning: hook refused").map { $0["outcome"] } == ["forged"])
        }
    }

    @Test func `a body to the last byte is taken, and one that comes in pieces`() async throws {
        try await HookStand.with { stand in
            #expect(try await stand.hook(body: String(repeating: "x", count: 64 * 1024)).status == 202)
            let client = try RawClient(port: stand.port)
            let head = "POST /hooks/shop HTTP/1.1\r\nHost: a\r\nContent-Length: 13\r\nX-Hub-Signature-256: "
            try client.send(head + "sha256=8b")
            try client.send("00\r\n\r\nHello, ")
            try client.send("World!GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive().status == 401)
            #expect(try client.receive().status == 200)
        }
    }

    @Test func `bodies without a length, and of requests that take none, are refused before they are read`()
        async throws
    {
        try await HookStand.with { stand async throws in
            func status(_ head: String) throws -> Int {
                let client = try RawClient(port: stand.port)
                try client.send(head + "\r\n\r\n")
                return try client.receive().status
            }
            let post = "POST /hooks/shop HTTP/1.1\r\nHost: a\r\n"
            #expect(try status(post + "Content-Length: 65537") == 413)
            #expect(try status(post + "Content-Length: 99999999999999999999") == 413)
            #expect(try status(post + "Transfer-Encoding: chunked") == 411)
            #expect(try status(post + "Content-Length: 2\r\nExpect: 100-continue") == 417)
            #expect(try status("GET /products HTTP/1.1\r\nHost: a\r\nContent-Length: 2") == 413)
            #expect(try status("PUT /products HTTP/1.1\r\nHost: a\r\nContent-Length: 2") == 405)
        }
    }

    @Test func `an order has no body, whatever hooks take`() async throws {
        try await HookStand.with { stand async throws in
            func status(_ fields: String) throws -> Int {
                let client = try RawClient(port: stand.service.application.adminPort)
                try client.send("POST /refresh HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\r\n")
                return try client.receive().status
            }
            #expect(try status("Content-Length: 1") == 413)
            #expect(try status("Content-Length: 65536") == 413)
            #expect(try status("Content-Length: 0") == 200)
        }
    }

    @Test func `only the path of a hook has a body, no longer than that hook's own, also after a reload`() async throws
    {
        func hooks(_ first: String) -> String {
            "hooks: { a: { signature: github, secret_file: SECRET, max_body: \(first) }, "
                + "b: { signature: github, secret_file: SECRET } }"
        }
        try await HookStand.with(hooks: hooks("10")) { stand async throws in
            func status(_ target: String, _ length: Int, _ port: Int? = nil) throws -> Int {
                let client = try RawClient(port: port ?? stand.port)
                try client.send("POST \(target) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
                if length == 10 { try client.send("0123456789") }
                return try client.receive().status
            }
            for target in ["/", "/products", "/hooks", "/hooks/", "/hooks/c", "/hooks/a/b", "/hooks/%zz", "/livez"] {
                #expect(try status(target, 1) == 413, "\(target)")
            }
            #expect(try status("/refresh", 1, stand.service.application.adminPort) == 413)
            #expect(try status("/hooks/a", 11) == 413)
            #expect(try status("/hooks/%61?x", 10) == 401)
            #expect(try status("http://shop.example/hooks/b", 10) == 401)
            await stand.reload(hooks: hooks("9"))
            #expect(try status("/hooks/a", 10) == 413)
            await stand.reload(hooks: "hooks: { c: { signature: github, secret_file: SECRET } }")
            #expect(try status("/hooks/a", 10) == 413)
            #expect(try status("/hooks/c", 10) == 401)
        }
    }

    @Test func `a body that does not come is given up when the head's time is over`() async throws {
        let hooks = "hooks: { shop: { signature: github, secret_file: SECRET } }"
        try await HookStand.with(hooks: hooks, http: ", limits: { header_deadline: 100ms }") { stand in
            let client = try RawClient(port: stand.port)
            try client.send("POST /hooks/shop HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{")
            #expect(try client.receiveToEnd().status == 408)
            #expect(stand.shop.requests == 1)
        }
    }

    @Test func `a delivery that comes again is answered and causes nothing`() async throws {
        try await HookStand.with { stand in
            // An id is not signed, so another one makes no other delivery.
            for id in ["one", "one", "two"] { #expect(try await stand.hook(id: id).status == 202) }
            #expect(try await stand.count("replayed") == 2)
            for pause in [2, 10, 60] { await pass(.seconds(pause), stand) }
            await stand.log.wait(for: Self.gaveUp)
            #expect(try await stand.hook(id: "one").status == 202)
            #expect(try await stand.count("replayed") == 3)
            stand.pauses.advance(by: .seconds(300))
            try await stand.hook(id: "one")
            #expect(try await stand.count("accepted") == 2)
        }
    }

    @Test func `a replaced secret is in force for the next hook`() async throws {
        try await HookStand.with { stand in
            try stand.setSecret("hushhush")
            #expect(try await stand.hook().status == 401)
            #expect(try await stand.hook(secret: "hushhush").status == 202)
        }
    }

    @Test func `signed times have to be recent`() async throws {
        let form = "{ header: X-Hub-Signature-256, encoding: hex, prefix: \"sha256=\", timestamp: X-Timestamp }"
        try await HookStand.with(hooks: "hooks: { shop: { signature: \(form), secret_file: SECRET } }") {
            stand async throws in
            func status(sentAt time: Int) async throws -> Int {
                let signature = HookStand.signature(of: "\(time).{}", HookStand.secret)
                let headers = [signature, HTTPHeader("X-Timestamp", "\(time)")]
                return try await stand.post("/hooks/shop", body: "{}", headers).status
            }
            #expect(try await status(sentAt: 1_700_000_000 - 301) == 401)
            #expect(try await status(sentAt: 1_700_000_000 + 301) == 401)
            #expect(try await stand.count("stale") == 2)
            #expect(try await status(sentAt: 1_700_000_000 - 300) == 202)
            #expect(try await status(sentAt: 1_700_000_000 + 300) == 202)
            stand.pauses.advance(by: .seconds(599))
            #expect(try await status(sentAt: 1_700_000_000 + 300) == 202)
            #expect(try await stand.count("replayed") == 1)
        }
    }

    @Test func `a reload begins the series again, and knows the deliveries of before`() async throws {
        try await HookStand.with { stand in
            try await stand.hook(id: "one")
            await stand.pauses.waitForSleepers()
            let requests = stand.shop.requests
            await stand.reload(hooks: "hooks: { shop: { signature: github, secret_file: SECRET, settle: [1s] } }")
            try await stand.hook(id: "one")
            #expect(try await stand.count("replayed") == 1)
            try await eventually {
                stand.pauses.advance(by: .seconds(1))
                return stand.log.count(of: Self.gaveUp) == 1
            }
            #expect(stand.shop.requests >= requests + 2)
            #expect(stand.pauses.sleepers == 0)
        }
    }

    @Test func `WooCommerce's ping is answered, and no other unsigned request`() async throws {
        try await HookStand.with(hooks: "hooks: { shop: { signature: woocommerce, secret_file: SECRET } }") {
            stand async throws in
            #expect(try await stand.post("/hooks/shop", body: "webhook_id=17").status == 200)
            #expect(try await stand.post("/hooks/shop", body: "{}").status == 401)
            #expect(try await stand.count("ping") == 1)
            #expect(stand.shop.requests == 1)
        }
    }

    @Test func `the description has the hooks that there are`() async throws {
        try await HookStand.with { stand in
            let paths = try #require(try await stand.get("/openapi.json").json?["paths"]?.object)
            let place = try #require(paths["/hooks/{name}"]?.object)
            #expect(place.members.map(\.key) == ["parameters", "post", "options"])
            let name = place["parameters"]?.array?.first?.object
            #expect(name?["schema"]?.object?["enum"]?.array?.compactMap(\.string) == ["shop"])
            let post = place["post"]?.object
            #expect(post?["requestBody"] != nil)
            #expect(post?["responses"]?.object?["202"] != nil && post?["responses"]?.object?["401"] != nil)
        }
    }

    @Test func `without hooks no request has a body`() async throws {
        try await HookStand.with(hooks: "") { stand async throws in
            #expect(try await stand.hook().isProblem(405))
            #expect(try await stand.post("/hooks/shop", body: "").isProblem(404))
        }
    }
}
