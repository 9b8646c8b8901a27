import Concurrency
import Products
import TestSupport
import Testing

@testable import Fleet

/// What a replica fetched alone, beside the fleet's catalogue: the gate of the replica compares the two.
@Suite(.timeLimit(.minutes(1)))
struct FleetWeighingTests {
    private let rig = FleetRig()

    /// A gate that only compares.
    private final class ComparingJudge: CatalogueJudge {
        private let passes: Bool
        private let seen = Mutex<[[String]]>([])

        init(passes: Bool) { self.passes = passes }

        /// The revisions of each comparison, the new one first.
        var compared: [[String]] { seen.withLock { $0 } }

        func products(for request: ProductsRequest) async throws -> ProductsAnswer { throw ProductsFailure.notStored }

        func judge(_ answer: ProductsAnswer, for request: ProductsRequest) async throws -> ProductsAnswer { answer }

        func compare(_ catalogue: Catalogue, replacing old: Catalogue) async throws(ProductsFailure) {
            seen.withLock { $0.append([catalogue.revision, old.revision]) }
            if !passes { throw .refused(.shrunken(from: 2, to: 1)) }
        }

        func expect(revision: String?) {}
    }

    @Test(arguments: [true, false])
    func `it takes the place of the fleet's only where the gate lets it pass`(passes: Bool) async throws {
        let judge = ComparingJudge(passes: passes)
        let (a, b) = (rig.replica("a"), rig.replica("b", judge: judge))
        try await a.connected()
        _ = try await a.ask()
        try await a.stop()
        b.link.set { $0.isUp = false }
        b.upstream.gives("Cup")
        b.start()
        rig.clock.advance(by: .seconds(60))
        #expect(try await b.ask().snapshot.revision == revision("Cup"))
        b.link.mend()
        let (mug, cup) = (try revision("Mug"), try revision("Cup"))
        try await rig.pass { b.store.report.served?.revision == (passes ? cup : mug) && !judge.compared.isEmpty }
        try await rig.pass { rig.server.model.current?.revision == (passes ? cup : mug) }
        #expect(judge.compared == [[cup, mug]])
        let line = "warning: the gate refuses this replica's catalogue as a successor of the fleet's, which is kept"
        #expect(b.log.count(of: line) == (passes ? 0 : 1))
    }
}
