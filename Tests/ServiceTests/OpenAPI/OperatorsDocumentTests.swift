import JSON
import ServingTestSupport
import TestSupport
import Testing

/// Holds what the port for operators answers against its own description.
@Suite(.timeLimit(.minutes(1)))
struct OperatorsDocumentTests {
    private struct Asked {
        let service: OrderedService
        let document: DocumentedPort

        init(_ service: OrderedService) async throws {
            self.service = service
            document = try DocumentedPort(try await service.order("/openapi.json", method: "GET").body)
        }

        /// Asks, and records what is not as described.
        func check(
            _ method: String, _ target: String, _ fields: String = "", expecting status: Int
        ) async throws {
            let answer = try await service.order(target, fields, method: method)
            #expect(answer.status == status, "\(method) \(target)")
            let path = String(target.prefix { $0 != "?" })
            let operation = try #require(document.operations.first { $0.method == method && $0.path == path })
            let check = AnswerCheck(answer, of: operation, checker: document.checker)
            #expect(check.problems == [], "\(method) \(target) \(status)")
        }
    }

    @Test func `reports and orders are as described, those that fail included`() async throws {
        try await OrderedService.with { service in
            let asked = try await Asked(service)
            try await service.put(["Mug", "Cup"])
            try await service.put(["Mug", "Jug"])
            for target in [
                "/", "/graph", "/graph.html", "/history.html", "/history", "/diff?from=1&to=newest", "/quarantine",
            ] {
                try await asked.check("GET", target, expecting: 200)
                if !target.contains("?") { try await asked.check("HEAD", target, expecting: 200) }
            }
            for target in ["/products?explain=1", "/metrics", "/readyz?verbose", "/livez", "/openapi.json"] {
                try await asked.check("GET", target, expecting: 200)
            }
            try await asked.check("GET", "/diff?from=1", expecting: 400)
            try await asked.check("GET", "/diff?from=7&to=8", expecting: 404)
            try await asked.check("POST", "/refresh", expecting: 200)
            try await asked.check("POST", "/refresh", "Prefer: respond-async\r\n", expecting: 202)
            try await asked.check("POST", "/refresh?node=none", expecting: 404)
            try await asked.check("POST", "/pin?generation=1&reason=why", expecting: 200)
            try await asked.check("GET", "/history", expecting: 200)
            try await asked.check("POST", "/pin?generation=9", expecting: 404)
            try await asked.check("POST", "/pin", expecting: 400)
            try await asked.check("POST", "/pin?generation=1", "Via: 1.1 sidecar\r\n", expecting: 403)
            try await asked.check("POST", "/unpin", expecting: 200)
            try await asked.check("POST", "/unpin?confirm=1", expecting: 200)
            try service.shelf.quarantine(["Pot"])
            try await asked.check("GET", "/quarantine", expecting: 200)
            try await asked.check("POST", "/quarantine/accept", expecting: 200)
            try await asked.check("POST", "/quarantine/accept", expecting: 404)
            try service.shelf.publish(nil)
            try await asked.check("POST", "/refresh", expecting: 502)
            try await asked.check("POST", "/refresh", expecting: 503)
            try await asked.check("OPTIONS", "/refresh", expecting: 204)
        }
    }

    @Test func `an order takes the token where there is one, and says so`() async throws {
        try await OrderedService.with(isStore: false) { service in
            let asked = try await Asked(service)
            let path = asked.document.json["paths"]?.object?["/pin"]?.object
            #expect(path?["post"]?.object?["security"]?.array?.count == 2)
            try await asked.check("POST", "/pin?generation=1", expecting: 409)
            try await asked.check("GET", "/history", expecting: 409)
        }
    }
}
