import FoundationEssentials
import Products
import Testing

@Suite struct ProductsAnswerTests {
    private let snapshot: ProductsSnapshot

    init() throws {
        snapshot = ProductsSnapshot(
            catalogue: try Catalogue(products: [makeProduct()]), fetchedAt: Date(timeIntervalSince1970: 100),
            origin: .network)
    }

    @Test func theTrailReadsInTheOrderOfEvents() {
        let answer = ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: "disk", outcome: .hit)])
            .preceded(by: [TrailStep(node: "http", outcome: .failed(.unreachable(.refused, detail: "port 9")))])
            .adding(TrailStep(node: "memory", outcome: .stale))
        #expect(answer.trail.map(\.description) == ["http: refused", "disk: hit", "memory: stale"])
    }

    @Test func aRefetchedSnapshotSharesItsCatalogue() {
        let later = snapshot.refetched(at: Date(timeIntervalSince1970: 200))
        #expect(later.catalogue === snapshot.catalogue)
        #expect(later.fetchedAt == Date(timeIntervalSince1970: 200))
        #expect(later.revision == snapshot.revision)
    }

    @Test(arguments: [(150.0, Duration.seconds(50)), (100, .zero), (40, .zero)])
    func ageIsNeverNegative(moment: Double, age: Duration) {
        #expect(snapshot.age(at: Date(timeIntervalSince1970: moment)) == age)
    }

    @Test(arguments: [
        (ProductsFailure.unreachable(.refused, detail: "port 9"), "refused", "upstream unreachable (refused): port 9"),
        (.timedOut(after: .seconds(2)), "timeout", "no answer within 2.0 seconds"),
        (
            .upstreamStatus(503, retryAfter: .seconds(5)), "status-503",
            "upstream answered 503, and to retry after 5.0 seconds"
        ),
        (
            .refused(.shrunken(from: 9, to: 2)), "shrunken",
            "catalogue refused: the catalogue shrank from 9 products to 2"
        ),
        (.notStored, "not-stored", "nothing has been stored yet"),
    ])
    func failuresHaveALabelAndASentence(failure: ProductsFailure, token: String, sentence: String) {
        #expect(failure.token == token)
        #expect(failure.description == sentence)
    }
}
