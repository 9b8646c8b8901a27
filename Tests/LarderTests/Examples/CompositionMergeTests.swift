import JSON
import Networking
import TestSupport
import Testing

@Suite("Example configs: merged", .timeLimit(.minutes(1)))
struct CompositionMergeTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("Two shops are one catalogue in their order, and one that goes away leaves its products")
    func merged() async throws {
        let (one, two) = (PlainShop("one", sharedCount: 3), PlainShop("two", sharedCount: 3))
        let (first, second) = (StandIn(one), StandIn(two))
        defer { first.close() }
        defer { second.close() }
        let settings = ["LARDER_TTL": "50ms"]
        try await ComposedService.with(
            .merged, upstreams: [first, second], settings: settings, in: directory
        ) { service in
            let whole = try await service.get()
            #expect(ListedProduct.all(in: whole.body) == one.products + two.products.dropFirst(3))
            two.turn(down: true)
            let asked = second.requests.count
            try await eventually {
                let later = try await service.get()
                #expect(later.body == whole.body)
                return second.requests.count > asked
            }
            #expect(try await service.get().body == whole.body)
        }
    }

    @Test("A shop that was never there is left out, and joins when it comes")
    func mergedLate() async throws {
        let (one, two) = (PlainShop("one", sharedCount: 3), PlainShop("two", sharedCount: 3))
        two.turn(down: true)
        let (first, second) = (StandIn(one), StandIn(two))
        defer { first.close() }
        defer { second.close() }
        try await ComposedService.with(.merged, upstreams: [first, second], in: directory) { service in
            #expect(try await ListedProduct.all(in: service.get().body) == one.products)
            two.turn(down: false)
            try await eventually {
                ListedProduct.all(in: try await service.get().body) == one.products + two.products.dropFirst(3)
            }
        }
    }
}
