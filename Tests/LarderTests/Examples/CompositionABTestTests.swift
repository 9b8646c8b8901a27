import JSON
import Networking
import TestSupport
import Testing

@Suite("Example configs: ab-test", .timeLimit(.minutes(1)))
struct CompositionABTestTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("A user sees one arm, also when asked for again; only the partners' API is told the token")
    func abTest() async throws {
        let (open, closed) = (PlainShop("public"), PlainShop("partner", token: Composition.token))
        let (first, second) = (StandIn(open), StandIn(closed))
        defer { first.close() }
        defer { second.close() }
        try await ComposedService.with(.abTest, upstreams: [first, second], in: directory) { service in
            var arms: [Int: [ListedProduct]] = [:]
            for user in 0..<40 { arms[user] = try await products(for: user, service) }
            for user in 0..<40 { #expect(try await products(for: user, service) == arms[user]) }
            #expect(Set(arms.values) == [open.products, closed.products])
            #expect((8...32).contains(arms.values.count { $0 == open.products }))
            #expect(first.requests.count == 1)
            #expect(second.requests.count == 1)
            #expect(first.requests.allSatisfy { $0[header: "Authorization"] == nil })

            let response = try await service.get(("X-User", "user-1"))
            #expect(response.headers["Vary"]?.contains("X-User") == true)
            #expect(response.headers["Cache-Control"]?.contains("private") == true)
            let events = try await service.events()
            #expect(events.count == 40)
            #expect(events.allSatisfy { $0["event"] == "experiment_exposure" })
            #expect(!events.contains { "\($0)".contains("user-") })
        }
    }

    @Test("A partners' API that is away from the start leaves its users the public catalogue")
    func armOffline() async throws {
        let (open, closed) = (PlainShop("public"), PlainShop("partner", token: Composition.token))
        closed.turn(down: true)
        let (first, second) = (StandIn(open), StandIn(closed))
        defer { first.close() }
        defer { second.close() }
        try await ComposedService.with(.abTest, upstreams: [first, second], in: directory) { service in
            for user in 0..<10 {
                let products = try await products(for: user, service)
                #expect(products == open.products)
            }
            #expect(second.requests.count >= 1)
        }
    }

    private func products(for user: Int, _ service: ComposedService) async throws -> [ListedProduct]? {
        ListedProduct.all(in: try await service.get(("X-User", "user-\(user)")).body)
    }
}
