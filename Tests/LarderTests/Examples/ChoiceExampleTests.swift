import FileSystem
import JSON
import Networking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ChoiceExampleTests {
    private let directory: TemporaryDirectory
    private let shop = StandIn(.plain("shop"))
    private let partner = StandIn(.plain("partner", token: Example.token))

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func close() {
        shop.close()
        partner.close()
    }

    @Test
    func `premium users are served from memory, the shop up or down; regular users get the shop's own answer`()
        async throws
    {
        defer { close() }
        let products = Recording.plain("shop").products
        try await ExampleService.with(.audience, upstreams: [shop], in: directory) { service in
            let ready = shop.requestHeads.count
            for _ in 0..<3 {
                let regular = try await service.get()
                #expect(JSONValue.products(in: regular.body) == products)
                #expect(regular.headers["Vary"]?.contains("X-Tier") == true)
                #expect(regular.headers["Cache-Control"]?.contains("private") == true)
            }
            #expect(shop.requestHeads.count == ready + 3)
            for _ in 0..<3 { #expect(try await service.products(("X-Tier", "premium")) == products) }
            #expect(shop.requestHeads.count == ready + 4)

            shop.turn(down: true)
            #expect(try await service.get().status == 503)
            #expect(try await service.get(("X-Tier", "gold")).status == 503)
            #expect(try await service.products(("X-Tier", "premium")) == products)
            #expect(shop.requestHeads.count == ready + 6)
        }
    }

    @Test(arguments: [
        (Example.optOut, "accept-encoding"), (Example.optOutByComposition, "accept-encoding, dnt, sec-gpc"),
    ])
    func `an answer is an event, unless the user opts out: seen by the analytics node, or by who is led past it`(
        example: Example, vary: String
    ) async throws {
        defer { close() }
        try await ExampleService.with(example, upstreams: [shop], in: directory) { service in
            let before = shop.requestHeads.count
            for header in [("Sec-GPC", "1"), ("DNT", "1"), ("Sec-GPC", "0"), ("DNT", "0")] {
                #expect(try await service.get(header).status == 200)
            }
            let last = try await service.get()
            #expect(last.status == 200)
            #expect(last.headers["Vary"]?.lowercased() == vary)
            #expect(shop.requestHeads.count == before)
            let events = try await service.events().map { $0["event"]?.string }
            #expect(events == Array(repeating: "products_shown", count: 3))
        }
    }

    @Test func `without its analytics node the opt-out config counts nobody`() async throws {
        defer { close() }
        let config = directory("uncounted.yaml")
        try Files.create(config, Array(try Self.withoutAnalytics().utf8))
        try await ExampleService.with(.optOut, config: config, upstreams: [shop], in: directory) { service in
            let response = try await service.get()
            #expect(response.status == 200)
            #expect(try await service.events() == [])
        }
    }

    /// The opt-out config, changed as its comment suggests.
    private static func withoutAnalytics() throws -> String {
        let text = String(decoding: try Files.read(Example.optOut.config), as: UTF8.self)
        let kept = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            !["analytics:", "  events:", "  storefront:"].contains { line.hasPrefix($0) }
        }
        #expect(text.contains("#   serve: catalogue\n"))
        return kept.map { $0 == "serve: storefront" ? "serve: catalogue" : $0 }.joined(separator: "\n")
    }

    @Test func `a user always sees the same arm; only the partners' API gets the token`() async throws {
        defer { close() }
        let (open, closed) = (Recording.plain("shop").products, Recording.plain("partner").products)
        try await ExampleService.with(.abTest, upstreams: [shop, partner], in: directory) { service in
            var seen: [[JSONValue]?] = []
            for user in 0..<40 { seen.append(try await service.products(("X-User", "user-\(user)"))) }
            for user in 0..<40 {
                let again = try await service.products(("X-User", "user-\(user)"))
                #expect(again == seen[user])
            }
            #expect(Set(seen) == [open, closed])
            let openCount = seen.count { $0 == open }
            #expect((8...32).contains(openCount))
            #expect(shop.requestHeads.count == 1)
            #expect(partner.requestHeads.count == 1)
            #expect(shop.requestHeads.allSatisfy { !$0.contains("Authorization") })

            let response = try await service.get(("X-User", "user-1"))
            #expect(response.headers["Vary"]?.contains("X-User") == true)
            #expect(response.headers["Cache-Control"]?.contains("private") == true)
            let events = try await service.events()
            #expect(events.count == 40)
            #expect(events.allSatisfy { $0["event"] == "experiment_exposure" })
            #expect(!events.contains { "\($0)".contains("user-") })
        }
    }

    @Test
    func `a partners' API that is away from the start leaves its users without an answer, and the others alone`()
        async throws
    {
        defer { close() }
        partner.turn(down: true)
        try await ExampleService.with(.abTest, upstreams: [shop, partner], in: directory) { service in
            var statuses: Set<Int> = []
            for user in 0..<40 {
                let response = try await service.get(("X-User", "user-\(user)"))
                statuses.insert(response.status)
                if response.status == 200 {
                    #expect(JSONValue.products(in: response.body) == Recording.plain("shop").products)
                }
            }
            #expect(statuses == [200, 503])
            #expect(partner.requestHeads.count >= 1)
            let events = try await service.events()
            #expect(!events.isEmpty)
            #expect(events.allSatisfy { $0["parameters"]?.object?["arm"] == "a" })
        }
    }
}
