internal import Health
internal import Concurrency
internal import Configuration
internal import JSON
internal import Logging
internal import Networking
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing

@testable internal import Upstreams

/// `categories` of an `http`.
@Suite(.timeLimit(.minutes(1)))
struct HTTPCategoriesTests {
    private let log = LogRecorder()
    /// The bodies by their paths; a path without one gets a 500.
    private let bodies = Shared<[String: String]>([
        "/products": #"[{"id":"1","type":"physical","name":"Mug","price":{"amount":5,"currency":"EUR"},"weight":1,"#
            + #""sales":0,"categories":["23","9"]}]"#,
        "/categories?all=1": #"{"data":[{"id":23,"up":18,"name":"Mugs"},{"id":18,"up":0,"name":"Kitchen"}]}"#,
    ])

    private func withShop(_ body: (any ProductsProvider) async throws -> Void) async throws {
        let script: @Sendable (UpstreamConnection) -> Void = { [bodies] connection in
            while let head = connection.readRequest() {
                let body = bodies.withLock { $0[String(head.split(separator: " ")[1])] }
                connection.respond(
                    status: body == nil ? "500 No" : "200 OK", headers: "ETag: \"\(body?.hashValue ?? 0)\"\r\n",
                    body: Array((body ?? "").utf8))
            }
        }
        try await withClient(against: script) { client, upstream async throws in
            let yaml = """
                { type: http, timeout: 20s, connect_timeout: 20s, request: { base_url: "\(upstream.url)", path: /products },
                  categories: { path: "/categories?all=1", items: data, parent: up, of: categories },
                  decode: { attributes: drop } }
                """
            let resources = makeResources(log, ManualWallClock().wallClock, client: client)
            try await body(try makeProvider(yaml, resources: resources).provider)
        }
    }

    private func category(_ provider: any ProductsProvider) async throws -> String? {
        let json = try await provider.ask().snapshot.products.first?.category?.json
        return json.map { String(decoding: $0.encoded(), as: UTF8.self) }
    }

    private func change(_ path: String, _ body: String?) {
        bodies.withLock { $0[path] = body }
    }

    private static let mugs = #"[{"id":23,"name":"Mugs","path":["Kitchen","Mugs"]},"9"]"#

    @Test func `ids of categories become names, and those that no category has are logged once`() async throws {
        try await withShop { provider async throws in
            #expect(try await category(provider) == Self.mugs)
            #expect(try await category(provider) == Self.mugs)
            let lines = log.seenLines.filter { $0.message.contains("unknown category ids") }
            #expect(lines.map { $0.metadata["first"] } == ["\"9\""])
            change("/categories?all=1", #"{"data":[{"id":23,"name":"Cups"},{"id":9,"up":9,"name":"Sale"}]}"#)
            #expect(
                try await category(provider)
                    == #"[{"id":23,"name":"Cups","path":["Cups"]},{"id":9,"name":"Sale","path":["Sale"]}]"#)
            #expect(log.seenLines.contains { $0.message.contains("contain themselves") })
        }
    }

    @Test(arguments: [nil, "<html>", #"{"data":[{"id":1}]}"#, #"{"data":7}"#])
    func `without its categories a refresh uses the last ones, and fails without any`(bad: String?) async throws {
        try await withShop { provider async throws in
            let good = bodies.withLock { $0["/categories?all=1"] }
            change("/categories?all=1", bad)
            await #expect(throws: ProductsFailure.self) { try await provider.ask() }
            change("/categories?all=1", good)
            #expect(try await category(provider) == Self.mugs)
            let reporter = try #require(provider as? any TroubleReporting)
            #expect(reporter.troubles.isEmpty)
            change("/categories?all=1", bad)
            bodies.withLock { bodies in
                bodies["/products"] = bodies["/products"]?.replacing(#","9"]"#, with: #",18]"#)
            }
            #expect(
                try await category(provider)
                    == #"[{"id":23,"name":"Mugs","path":["Kitchen","Mugs"]},{"id":18,"name":"Kitchen","path":["Kitchen"]}]"#
            )
            #expect(
                log.seenLines.contains { $0.message.contains("using the last ones") && $0.metadata["read_at"] != nil })
            #expect(reporter.troubles.map(\.kind) == [.source])
            #expect(reporter.troubles.first?.cause.hasPrefix("the categories are those of ") == true)
            change("/categories?all=1", good)
            _ = try await category(provider)
            #expect(reporter.troubles.isEmpty)
        }
    }
}
