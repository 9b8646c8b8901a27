import FileSystem
import JSON
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FailureExampleTests {
    private static let opened = "circuit breaker open, not asking the upstream"
    private let preview = ("X-Preview", "live")
    private let directory: TemporaryDirectory
    private let first = StandIn(.plain("one", sharedCount: 3))
    private let second = StandIn(.plain("two", sharedCount: 3))
    private let firstProducts = Recording.plain("one", sharedCount: 3).products
    private let mergedProducts =
        Recording.plain("one", sharedCount: 3).products + Recording.plain("two", sharedCount: 3).products.dropFirst(3)

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func close() {
        first.close()
        second.close()
    }

    @Test
    func `a failing shop is tried twice a request, and after five requests not at all; customers notice nothing`()
        async throws
    {
        defer { close() }
        let settings = ["LARDER_OPEN_FOR": "30m"]
        try await ExampleService.with(.resilient, upstreams: [first], settings: settings, in: directory) { service in
            let before = try await service.get()
            #expect(JSONValue.products(in: before.body) == firstProducts)
            #expect(first.requestHeads.count == 1)
            #expect(try await service.products(preview) == firstProducts)
            #expect(first.requestHeads.count == 2)

            first.turn(down: true)
            for request in 1...5 {
                #expect(try await service.get(preview).status == 503)
                #expect(first.requestHeads.count == 2 + 2 * request)
            }
            for _ in 0..<20 { #expect(try await service.get(preview).status == 503) }
            #expect(first.requestHeads.count == 12)
            let during = try await service.get()
            #expect(during.status == 200)
            #expect(during.body == before.body)
            #expect(service.process.count(of: Self.opened) == 1)
        }
    }

    @Test func `the first request after the pause finds a shop that is back`() async throws {
        defer { close() }
        let settings = ["LARDER_OPEN_FOR": "50ms"]
        try await ExampleService.with(.resilient, upstreams: [first], settings: settings, in: directory) { service in
            first.turn(down: true)
            try await eventually {
                let response = try await service.get(preview)
                #expect(response.status == 503)
                return service.process.count(of: Self.opened) > 0
            }
            first.turn(down: false)
            try await eventually { try await service.get(preview).status == 200 }
            try await eventually { service.process.count(of: "circuit breaker closed") > 0 }
        }
    }

    @Test func `two shops are one catalogue in their order, and one that goes away leaves its products`() async throws {
        defer { close() }
        let settings = ["LARDER_TTL": "50ms"]
        try await ExampleService.with(
            .merged, upstreams: [first, second], settings: settings, in: directory
        ) { service in
            let whole = try await service.get()
            #expect(JSONValue.products(in: whole.body) == mergedProducts)
            second.turn(down: true)
            let asked = second.requestHeads.count
            try await eventually {
                let response = try await service.get()
                #expect(response.body == whole.body)
                return second.requestHeads.count > asked
            }
            #expect(try await service.get().body == whole.body)
        }
    }

    @Test func `a shop that is away from the start is left out, and joins when it comes`() async throws {
        defer { close() }
        second.turn(down: true)
        try await ExampleService.with(.merged, upstreams: [first, second], in: directory) { service in
            #expect(try await service.products() == firstProducts)
            second.turn(down: false)
            try await eventually { try await service.products() == mergedProducts }
        }
    }

    @Test
    func `a replica whose Redis is away asks the shop itself, and starts from its disk when both are away`()
        async throws
    {
        defer { close() }
        // Nothing listens on port 1.
        let settings = ["LARDER_REDIS_URL": "redis://larder@127.0.0.1:1/0"]
        try await ExampleService.with(.fleet, upstreams: [first], settings: settings, in: directory) { service in
            #expect(try await service.products() == firstProducts)
            try await eventually {
                try Files.list(directory("data")).contains { $0.hasPrefix("generation-") && $0.hasSuffix(".json") }
            }
        }
        first.turn(down: true)
        try await ExampleService.with(.fleet, upstreams: [first], settings: settings, in: directory) { service in
            let products = try await service.products()
            #expect(products == firstProducts)
        }
    }
}
