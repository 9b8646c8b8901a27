import FoundationEssentials
import Products
import ProductsTestSupport
import Testing

@Suite struct ProductsAnswerTests {
    private let snapshot: ProductsSnapshot

    init() throws {
        snapshot = ProductsSnapshot(
            catalogue: try Catalogue(products: [makeProduct()]), fetchedAt: Date(timeIntervalSince1970: 100),
            origin: .network)
    }

    @Test func `the trail reads in the order of events`() {
        let answer = ProductsAnswer(snapshot: snapshot, trail: [TrailStep(node: "disk", outcome: .hit)])
            .preceded(by: [TrailStep(node: "http", outcome: .failed(.unreachable(.refused, detail: "port 9")))])
            .adding(TrailStep(node: "memory", outcome: .stale))
        #expect(answer.trail.map(\.description) == ["http: refused", "disk: hit", "memory: stale"])
    }

    @Test(arguments: [(150.0, Duration.seconds(50)), (100, .zero), (40, .zero)])
    func `age is never negative`(moment: Double, age: Duration) {
        #expect(snapshot.age(at: Date(timeIntervalSince1970: moment)) == age)
    }

    @Test(arguments: [(40.0, 100.0), (160, 160)])
    func `a snapshot is not checked before it is fetched`(checked: Double, known: Double) {
        let answer = ProductsSnapshot(
            catalogue: snapshot.catalogue, fetchedAt: snapshot.fetchedAt,
            checkedAt: Date(timeIntervalSince1970: checked), origin: .store)
        #expect(answer.checkedAt == Date(timeIntervalSince1970: known))
    }

    @Test(arguments: [(300.0, Duration.seconds(86_400)), (259_200, .seconds(259_200))])
    func `a snapshot from the future is a day old, or as old as its source was`(sourceAge: Double, age: Duration) {
        let now = Date(timeIntervalSince1970: 1_769_860_800)
        let dated = ProductsSnapshot(
            catalogue: snapshot.catalogue, fetchedAt: now + 3600 - sourceAge, checkedAt: now + 3600, origin: .store)
        #expect(dated.credible(at: now).age(at: now) == age)
    }

    @Test(arguments: [
        (ProductsFailure.unreachable(.refused, detail: "port 9"), "refused", "upstream unreachable (refused): port 9"),
        (.timedOut(after: .seconds(2)), "timeout", "no answer within 2s"),
        (.upstreamStatus(503, retryAfter: .seconds(5)), "status-503", "upstream answered 503, and to retry after 5s"),
        (
            .refused(.shrunken(from: 9, to: 2)), "shrunken",
            "catalogue refused: the catalogue shrank from 9 products to 2"
        ),
        (
            .refused(.duplicateIDOnPages("7", first: 1, second: 3)), "duplicate-id",
            "catalogue refused: items of pages 1 and 3 have one id, \"7\""
        ),
        (
            .refused(.badCurrency(String(repeating: "€", count: 101), id: "7", position: 0)), "bad-currency",
            "catalogue refused: product [0], id \"7\", has the currency \"\(String(repeating: "€", count: 100))…\", "
                + "which is not an ISO 4217 code"
        ),
        (.notStored, "not-stored", "nothing has been stored yet"),
        (
            .unavailable(reason: "refused", since: nil, retryAfter: .nanoseconds(999_141_316)), "unavailable",
            "nothing to serve; the upstream failed (refused) and is asked again after 1s"
        ),
    ])
    func `failures have a label and a sentence`(failure: ProductsFailure, token: String, sentence: String) {
        #expect(failure.token == token)
        #expect(failure.description == sentence)
    }

    @Test(arguments: [
        (Duration.seconds(30), "30s"), (.milliseconds(29_500), "30s"), (.seconds(1), "1s"), (.zero, "0s"),
        (.milliseconds(1500), "1.5s"), (.nanoseconds(900_123_456), "0.9s"), (.milliseconds(9960), "10s"),
        (.milliseconds(50), "50ms"), (.microseconds(400), "0s"), (.seconds(604_800), "604800s"),
        (.seconds(Int64.max), "9223372036854775807s"),
    ])
    func `durations in sentences are rounded`(duration: Duration, text: String) {
        #expect("\(ProductsFailure.timedOut(after: duration))" == "no answer within \(text)")
    }

    @Test func `who asks once is told the cause`() {
        let failure = ProductsFailure.unavailable(reason: "refused", since: nil, retryAfter: .seconds(1))
        let causes = ["refused": "nobody listens"]
        #expect(failure.description { causes[$0] } == "nothing to serve; nobody listens")
        #expect(failure.description { _ in nil } == "nothing to serve; the upstream failed (refused)")
        #expect(ProductsFailure.notStored.description { _ in "x" } == "nothing has been stored yet")
    }
}
