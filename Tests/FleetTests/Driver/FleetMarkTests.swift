import Products
import TestSupport
import Testing

@testable import Fleet

/// Who gets the fleet's catalogue without a request to the upstream.
@Suite(.timeLimit(.minutes(1)))
struct FleetMarkTests {
    private let rig = FleetRig()

    @Test func `a caller that has nothing gets what the fleet has, whoever has had it before`() async throws {
        let a = rig.replica("a")
        try await a.connected()
        _ = try await a.ask()
        a.upstream.fails(.unreachable(.refused, detail: "dead"))
        rig.clock.advance(by: .seconds(30))
        for _ in 0..<3 {
            let answer = try await rig.result {
                var request = ProductsRequest()
                request.known = .nothing
                return try await a.provider.products(for: request)
            }
            #expect(try answer.snapshot.revision == revision("Mug") && answer.standing == .confirmed)
        }
        #expect(a.upstream.calls == 1)
    }

    @Test func `requests without a mark get each catalogue once, and then have the upstream asked`() async throws {
        let a = rig.replica("a")
        try await a.connected()
        for name in ["Mug", "Cup", "Bowl"] {
            a.upstream.gives(name)
            let answer = try await rig.result { try await a.provider.products(for: ProductsRequest()) }
            #expect(try answer.snapshot.revision == revision(name))
            rig.clock.advance(by: .seconds(30))
        }
        #expect(a.upstream.calls == 3)
    }
}
