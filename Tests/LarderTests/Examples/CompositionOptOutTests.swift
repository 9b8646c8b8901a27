import FileSystem
import JSON
import Networking
import TestSupport
import Testing

@Suite("Example configs: opt-out", .timeLimit(.minutes(1)))
struct CompositionOptOutTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("An answer is an event, unless the user does not want to be counted")
    func optOut() async throws {
        let shop = StandIn(PlainShop("shop"))
        defer { shop.close() }
        try await ComposedService.with(.optOut, upstreams: [shop], in: directory) { service in
            let before = shop.requests.count
            for header in [("Sec-GPC", "1"), ("DNT", "1")] { #expect(try await service.get(header).status == 200) }
            for header in [("Sec-GPC", "0"), ("DNT", "0")] { #expect(try await service.get(header).status == 200) }
            #expect(try await service.get().status == 200)
            #expect(shop.requests.count == before)
            let events = try await service.events().map { $0["event"]?.string }
            #expect(events == Array(repeating: "products_shown", count: 3))
        }
    }

    @Test("Without the node nobody is counted")
    func uncounted() async throws {
        let shop = StandIn(PlainShop("shop"))
        defer { shop.close() }
        let config = directory("uncounted.yaml")
        try Files.create(config, Array(try Self.withoutAnalytics().utf8))
        let check = try await LarderProcess.run(
            ["check", "--config", config],
            environment: try Composition.optOut.environment(upstreams: [shop.url], in: directory), in: directory)
        #expect(check.status == 0)
        #expect(check.error == "")
        try await ComposedService.with(.optOut, config: config, upstreams: [shop], in: directory) { service in
            let response = try await service.get()
            #expect(response.status == 200)
            #expect(try await service.events() == [])
        }
    }

    /// The opt-out config as its comment says it can be.
    private static func withoutAnalytics() throws -> String {
        let text = String(decoding: try Files.read(Composition.optOut.config), as: UTF8.self)
        let kept = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            !["analytics:", "  events:", "  storefront:"].contains { line.hasPrefix($0) }
        }
        #expect(text.contains("#   serve: catalogue\n"))
        return kept.map { $0 == "serve: storefront" ? "serve: catalogue" : $0 }.joined(separator: "\n")
    }
}
