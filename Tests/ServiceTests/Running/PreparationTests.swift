@testable import Serving
import Networking
import TestSupport
import Testing

@testable import Service

/// Catalogues that are made ready for requests before they are served.
@Suite(.timeLimit(.minutes(1)))
struct PreparationTests {
    private static let query = "/products?sort=name"

    private static func catalogue(_ count: Int) -> String {
        let products = (1...count).map { number in
            #"{"type":"physical","id":"\#(number)","name":"Mug \#(number)","price":{"amount":1.5,"currency":"EUR"}}"#
        }
        return "[" + products.joined(separator: ",") + "]"
    }

    /// Has a service whose clients sorted two products by name.
    private func with(_ body: (Stand, ScriptedShop) async throws -> Void) async throws {
        try await ScriptedShop.with { shop in
            shop.serve(Self.catalogue(2))
            try await Stand.with({ $0.upstream = "127.0.0.1:\(shop.port)" }) { stand in
                try await eventually { try await stand.get(Self.query).status == 200 }
                #expect(try indexSize(stand) == Self.indexSize(2))
                try await body(stand, shop)
            }
        }
    }

    /// The bytes of a ranking: two numbers for each product.
    private static func indexSize(_ count: Int) -> Int { count * 8 }

    private func indexSize(_ stand: Stand) throws -> Int {
        try stand.parts.current.edition.responses.memory.indexes
    }

    @Test func `a refreshed catalogue is sorted before a request asks for it`() async throws {
        try await with { stand, shop in
            shop.serve(Self.catalogue(500))
            stand.clock.advance(by: .seconds(11))
            #expect(try await stand.ask("/products").total == 2)
            try await eventually { try indexSize(stand) >= Self.indexSize(500) }
            try await eventually { try await stand.ask(Self.query).total == 500 }
        }
    }

    @Test func `an edition with other rules is prepared before it takes over, and has later catalogues prepared`()
        async throws
    {
        try await with { stand, shop in
            try await stand.reload { $0.sections = "popular: { sales_over: 7 }" }
            #expect(try indexSize(stand) == Self.indexSize(2))
            #expect(try await stand.ask(Self.query).total == 2)
            shop.serve(Self.catalogue(500))
            stand.clock.advance(by: .seconds(11))
            #expect(try await stand.ask("/products").total == 2)
            try await eventually { try indexSize(stand) >= Self.indexSize(500) }
        }
    }
}
