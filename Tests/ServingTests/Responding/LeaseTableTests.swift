import Concurrency
import FoundationEssentials
import Products
import Prometheus
import ServingTestSupport
import Testing

@testable import Serving

@Suite struct LeaseTableTests {
    private func publication(
        before next: CataloguePublication? = nil
    ) throws -> (CataloguePublication, CatalogueLifetime) {
        let answer = makeAnswer(try makeCatalogue())
        let publication = CataloguePublication(
            fresh: answer, stale: answer, decide: { _ in .init(isStale: false, isRefreshDue: false) },
            refresh: { _ in false }, replacement: { next })
        return (publication, answer.snapshot.catalogue.lifetime)
    }

    private func lease(_ publication: CataloguePublication) -> ProductsLease? {
        publication.fresh.leasing(publication).handingLease().lease
    }

    @Test func `each variant has the lease of its last answer`() throws {
        let table = LeaseTable(variants: 2)
        let (first, second) = (try publication().0, try publication().0)
        table.keep(lease(first), for: 0)
        #expect(table.kept(for: 0).lease?.publication === first)
        #expect(table.kept(for: 1).lease == nil)
        table.keep(lease(second), for: 1)
        table.keep(lease(second), for: 0)
        #expect(table.kept(for: 0).lease?.publication === second)
        table.keep(nil, for: 0)
        #expect(table.kept(for: 0).lease?.publication === second)
    }

    @Test func `what is no variant of the table has no lease`() throws {
        let table = LeaseTable(variants: 2)
        let publication = try publication().0
        for variant in [2, -1] {
            table.keep(lease(publication), for: variant)
            #expect(table.kept(for: variant).lease == nil)
        }
        let boundless = LeaseTable(variants: .max)
        boundless.keep(lease(publication), for: 0)
        #expect(boundless.kept(for: 0).lease == nil)
    }

    /// A kept answer retains its listing.
    @Test(arguments: [(1, true), (16, true), (17, false)])
    func `answers are kept for no more variants than there are listings kept`(variants: Int, areKept: Bool) throws {
        let table = LeaseTable(variants: variants)
        let publication = try publication().0
        let now = Date()
        let part = try #require(lease(publication)?.part(at: now))
        let answer = LeasedAnswer(
            part, encoded: EncodedListing(makeListing(part.answer.snapshot.catalogue)),
            counter: AnswerMeter(MetricsRegistry(known: [.answers])).counter(of: part.answer, at: now), second: 0,
            generation: 0)
        table.keep(answer, for: 0)
        #expect(table.kept(for: 0).lease == nil)
        table.keep(part.lease, for: 0)
        table.keep(answer, for: 0)
        var kept: LeasedAnswer?
        if case .answer(let found) = table.kept(for: 0) { kept = found }
        #expect(kept === (areKept ? answer : nil))
        #expect(table.kept(for: 0).lease === part.lease)
    }

    @Test func `a released publication leaves the table, and its catalogue with it`() throws {
        let table = LeaseTable(variants: 2)
        let lifetime: CatalogueLifetime
        do {
            let (publication, of) = try publication()
            lifetime = of
            for variant in 0..<2 { table.keep(lease(publication), for: variant) }
            publication.withdraw()
            #expect(table.kept(for: 0).lease?.answer(for: ProductsRequest(), at: Date()) == nil)
            publication.release()
            #expect(table.kept(for: 0).lease == nil && table.kept(for: 1).lease == nil)
        }
        #expect(lifetime.isOver)
    }

    @Test(arguments: [true, false])
    func `a lease on any catalogue is renewed, with all that providers have added`(ofAnyCatalogue: Bool) throws {
        let table = LeaseTable(variants: 1)
        let last = try publication().0
        let next = try publication(before: last).0
        let first = try publication(before: next).0
        let uses = Mutex(0)
        let answer = first.fresh.leasing(first).handingLease()
            .passingLease(ofAnyCatalogue: ofAnyCatalogue, use: { _, _ in uses.withLock { $0 += 1 } })
            .adding(TrailStep(node: "above", outcome: .hit))
        table.keep(answer.handingLease().lease, for: 0)
        for (publication, other) in [(first, next), (next, last)] {
            publication.withdraw()
            publication.release()
            guard ofAnyCatalogue else { continue }
            #expect(table.kept(for: 0).lease?.publication === other)
        }
        let answered = table.kept(for: 0).lease?.answer(for: ProductsRequest(), at: Date())
        #expect(answered?.trail.map(\.node) == (ofAnyCatalogue ? ["above"] : nil))
        #expect(uses.withLock { $0 } == (ofAnyCatalogue ? 1 : 0))
    }

    @Test func `a publication whose release comes late drops no other lease`() throws {
        let table = LeaseTable(variants: 1)
        let (first, second) = (try publication().0, try publication().0)
        table.keep(lease(first), for: 0)
        first.withdraw()
        table.keep(lease(second), for: 0)
        first.release()
        #expect(table.kept(for: 0).lease?.publication === second)
    }

    @Test func `the table does not keep itself, and publications hold no table`() throws {
        let publication = try publication().0
        weak var gone: LeaseTable?
        do {
            let table = LeaseTable(variants: 1)
            table.keep(lease(publication), for: 0)
            gone = table
        }
        #expect(gone == nil)
        publication.withdraw()
        publication.release()
    }
}
