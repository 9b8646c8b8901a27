internal import FoundationEssentials
internal import TestSupport
internal import Testing

@testable internal import Products
internal import ProductsTestSupport

@Suite struct ProductsLeaseTests {
    private static let moment = Date(timeIntervalSince1970: 1_800_000_000)
    /// The decision of the publishing provider, nil where it has to be asked.
    private let serving = Shared<CataloguePublication.Serving?>(.init(isStale: false, isRefreshDue: false))
    private let refreshes = Shared((asked: 0, isRunning: true))
    private let publication: CataloguePublication

    init() throws {
        let snapshot = ProductsSnapshot(
            catalogue: try Catalogue(products: [makeProduct()]), fetchedAt: Self.moment, origin: .network)
        publication = CataloguePublication(
            fresh: ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: "memory", outcome: .hit)]),
            stale: ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: "memory", outcome: .stale)]),
            decide: { [serving] _ in serving.withLock { $0 } },
            refresh: { [refreshes] _ in
                refreshes.withLock {
                    $0.asked += 1
                    return $0.isRunning
                }
            })
    }

    /// An answer of the publishing provider, as its observer hands it up.
    private func handed() -> ProductsAnswer {
        publication.fresh.leasing(publication).handingLease()
    }

    private func trail(_ lease: ProductsLease?) -> [String]? {
        lease?.answer(for: ProductsRequest(), at: Self.moment)?.trail.map(\.description)
    }

    @Test func `a lease answers as the provider decides`() throws {
        let lease = try #require(handed().lease)
        #expect(trail(lease) == ["memory: hit"])
        serving.withLock { $0 = .init(isStale: true, isRefreshDue: false) }
        #expect(trail(lease) == ["memory: stale"])
        serving.withLock { $0 = nil }
        #expect(trail(lease) == nil)
        #expect(refreshes.withLock(\.asked) == 0)
    }

    @Test func `the lease of an answer from a lease is none`() throws {
        let lease = try #require(handed().lease)
        let answer = try #require(lease.answer(for: ProductsRequest(), at: Self.moment))
        #expect(answer.lease == nil)
        #expect(answer.passingLease().handingLease().lease == nil)
    }

    @Test func `a withdrawn lease answers nothing, and its holders are told once`() throws {
        let told = Shared(0)
        let lease = try #require(handed().lease)
        publication.whenReleased { told.withLock { $0 += 1 } }
        publication.withdraw()
        #expect(trail(lease) == nil)
        #expect(told.withLock { $0 } == 0)
        publication.release()
        publication.release()
        #expect(told.withLock { $0 } == 1)
        publication.whenReleased { told.withLock { $0 += 1 } }
        #expect(told.withLock { $0 } == 2)
    }

    @Test func `a provider that says nothing drops the lease`() {
        #expect(handed().handingLease().lease == nil)
        #expect(handed().passingLease().handingLease().lease != nil)
        #expect(handed().withoutLease.passingLease().handingLease().lease == nil)
    }

    @Test func `a provider that changes the answer without passing the lease on drops it`() {
        let step = TrailStep(node: "caching", outcome: .skipped)
        #expect(handed().adding(step).handingLease().lease == nil)
        #expect(handed().adding(step).passingLease().handingLease().lease == nil)
        #expect(handed().preceded(by: [step]).handingLease().lease == nil)
    }

    @Test func `without observers nothing has a lease`() {
        let answer = publication.fresh.leasing(publication)
        #expect(answer.lease == nil)
        #expect(answer.passingLease().lease == nil)
        #expect(answer.passingLease().handingLease().lease == nil)
    }

    @Test func `answers from a lease have the steps of the providers that passed it on`() throws {
        let answer = handed()
            .passingLease().adding(TrailStep(node: "audience", outcome: .chose(role: "gold")))
            .handingLease().passingLease()
            .preceded(by: [TrailStep(node: "reachability", outcome: .skipped)]).handingLease()
        #expect(answer.trail.map(\.description) == ["reachability: skipped", "memory: hit", "audience: gold"])
        #expect(trail(answer.lease) == answer.trail.map(\.description))
        serving.withLock { $0 = .init(isStale: true, isRefreshDue: false) }
        #expect(trail(answer.lease) == ["reachability: skipped", "memory: stale", "audience: gold"])
    }

    @Test func `a condition that fails sends requests to the graph, with no effect`() throws {
        let (holds, used) = (Shared(true), Shared(0))
        serving.withLock { $0 = .init(isStale: true, isRefreshDue: true) }
        let lease = try #require(
            handed().passingLease(while: { holds.withLock { $0 } }, use: { _, _ in used.withLock { $0 += 1 } })
                .handingLease().lease)
        #expect(trail(lease) != nil)
        holds.withLock { $0 = false }
        #expect(trail(lease) == nil)
        #expect(used.withLock { $0 } == 1)
        #expect(refreshes.withLock(\.asked) == 1)
        holds.withLock { $0 = true }
        #expect(trail(lease) != nil)
    }

    @Test func `uses run once for each answer, from the publishing provider up, with the request`() throws {
        let used = Shared<[String]>([])
        func note(_ name: String) -> ProductsLease.Use {
            { request, answer in
                used.withLock { $0.append("\(name) \(request().headers["x"] ?? "none") \(answer.trail[0])") }
            }
        }
        let lease = try #require(
            publication.fresh.leasing(publication).handingLease(from: "memory") { path in note("\(path.nodes)") }
                .passingLease(use: note("analytics")).handingLease(from: "top") { path in note("\(path.nodes)") }.lease)
        #expect(lease.path == ["memory", "top"])
        #expect(used.withLock { $0 }.isEmpty)
        for value in ["1", "2"] {
            _ = lease.answer(for: ProductsRequest(headers: ["x": value]), at: Self.moment)
        }
        #expect(
            used.withLock { $0 }
                == ["1", "2"].flatMap { value in
                    [
                        "[\"memory\"] \(value) memory: hit", "analytics \(value) memory: hit",
                        "[\"memory\", \"top\"] \(value) memory: hit",
                    ]
                })
    }

    @Test func `a request that no use reads is not made`() throws {
        let lease = try #require(handed().passingLease(use: { _, _ in }).handingLease().lease)
        var made = 0
        func request() -> ProductsRequest {
            made += 1
            return ProductsRequest()
        }
        let answer = lease.answer(for: request(), at: Self.moment)
        #expect(answer != nil)
        #expect(made == 0)
    }

    @Test func `a use gets the answer without the steps of providers above it`() throws {
        let failures = Shared<[String?]>([])
        let note: ProductsLease.Use = { _, answer in failures.withLock { $0.append(answer.failure?.token) } }
        let step = TrailStep(node: "above", outcome: .failed(.notStored))
        let answer = handed().passingLease(use: note).preceded(by: [step]).handingLease(from: "top") { _ in note }
        #expect(trail(answer.lease)?.count == 2)
        #expect(failures.withLock { $0 } == [nil, "not-stored"])
    }

    @Test func `a refresh is started once behind the answers, and again only if none was`() throws {
        serving.withLock { $0 = .init(isStale: true, isRefreshDue: true) }
        refreshes.withLock { $0.isRunning = false }
        let lease = try #require(handed().lease)
        for _ in 0..<3 { #expect(trail(lease) == ["memory: stale"]) }
        #expect(refreshes.withLock(\.asked) == 3)
        refreshes.withLock { $0.isRunning = true }
        for _ in 0..<3 { #expect(trail(lease) == ["memory: stale"]) }
        #expect(refreshes.withLock(\.asked) == 4)
    }
}
