internal import FoundationEssentials
internal import Products
internal import Testing

struct FailureRedactionTests {
    private static let breach = BoundBreach(
        count: 1, total: 2, share: 0.3, group: "type \"hunter2\"",
        examples: [BoundBreach.Example(id: "hunter2", member: "hunter2", before: "hunter2", after: "hunter2")])

    @Test(
        arguments: [
            .unreachable(.dns, detail: "hunter2"), .malformed(detail: "hunter2"), .storeFailed(detail: "hunter2"),
            .refused(.duplicateID("hunter2", first: 0, second: 1)),
            .refused(.duplicateIDOnPages("hunter2", first: 1, second: 2)),
            .refused(.negativePrice(id: "hunter2", position: 0)),
            .refused(.negativeDenomination(id: "hunter2", position: 0)),
            .refused(.lowPrice("0 hunter2", member: "price.amount", minimum: "1", id: "hunter2", position: 0)),
            .refused(.badCurrency("hunter2", id: "hunter2", position: 0)),
            .refused(.inconsistentPages(detail: "hunter2")),
            .refused(.grown(breach)), .refused(.added(breach)), .refused(.removed(breach)), .refused(.changed(breach)),
            .refused(.priceChange(breach, factor: "3")), .refused(.incomplete(breach, members: ["hunter2"])),
            .refused(.withheld(.added(breach), until: Date(timeIntervalSince1970: 0))),
        ] as [ProductsFailure])
    func `every failure that carries a text of somebody else's is rid of them`(failure: ProductsFailure) {
        let redacted = failure.redacting(["HUNTER2"])
        #expect(redacted.token == failure.token)
        #expect("\(redacted)" == "\(failure)".replacing("hunter2", with: "<redacted>"))
    }

    @Test func `the others stay as they are`() {
        let failures: [ProductsFailure] = [
            .upstreamStatus(503, retryAfter: .seconds(1)), .timedOut(after: nil), .notStored, .cancelled,
            .refused(.empty(count: 0, minimum: 1)), .refused(.shrunken(from: 2, to: 1)),
        ]
        #expect(failures.map { $0.redacting(["status", "cancelled"]) } == failures)
    }
}
