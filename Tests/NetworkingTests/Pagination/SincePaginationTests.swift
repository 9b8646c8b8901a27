internal import JSON
internal import TestSupport
internal import Testing

@testable internal import Networking

/// Pages by a value in which items may be equal, against an upstream that sorts by it.
@Suite(.timeLimit(.minutes(1)))
struct SincePaginationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The values of the items, in their order; the place is the id.
        let values: [Int]
        var size = 2
        /// Whether items with the very value come as well.
        var isInclusive = false
        /// The number of items that the upstream states.
        var total: Int?
        var error: String?

        init(
            _ description: String, _ values: [Int], size: Int = 2, isInclusive: Bool = false, total: Int? = nil,
            error: String? = nil
        ) {
            (testDescription, self.values, self.size, self.isInclusive) = (description, values, size, isInclusive)
            (self.total, self.error) = (total, error)
        }

        @Sendable func answer(_ target: String) -> PageAnswer {
            let since = number("since", in: target)
            let left = values.indices.filter { index in
                since.map { isInclusive ? values[index] >= $0 : values[index] > $0 } ?? true
            }
            let items = left.prefix(size).map { #"{"id":\#($0),"at":\#(values[$0])}"# }
            return PageAnswer(
                headers: total.map { "X-Total: \($0)\r\n" } ?? "", body: "[\(items.joined(separator: ","))]")
        }
    }

    @Test(arguments: [
        Case("none equal", [1, 2, 3, 4, 5]),
        Case("equal ones at the end of a page", [1, 2, 3, 3, 4, 5], size: 3),
        Case("equal ones at the end of each page", [1, 2, 2, 3, 3, 4, 4, 5], size: 3),
        Case("equal ones at the end of the last page", [1, 2, 3, 3], size: 3),
        Case("one page", [1, 2, 3], size: 100), Case("one item", [7]), Case("no item", []),
        Case("equal ones alone", [7, 7, 7], size: 100),
        Case("one item on a page", [1, 2, 3], size: 1),
        Case("an upstream that gives the given one again", [1, 2, 2, 3, 4, 5], size: 4, isInclusive: true),
        Case("a total that is right", [1, 2, 2, 3, 4, 5], total: 6),
        Case(
            "more equal ones than a page holds", [1, 2, 2, 2, 3],
            error:
                "page 2: more items have the same \"at\" than a page holds, so that some may be missing; ask for larger "
                + "pages, or name the \"total\""),
        Case(
            "more equal ones than the first page holds", [2, 2, 2, 3],
            error:
                "page 1: more items have the same \"at\" than a page holds, so that some may be missing; ask for larger "
                + "pages, or name the \"total\""),
        Case(
            "more equal ones than a page holds, and a total that tells", [1, 2, 2, 2, 3], total: 5,
            error: "page 4 is the last, and 4 items have come of a total of 5"),
        Case(
            "more equal ones than a page holds at the end", [1, 2, 2, 2], total: 4,
            error: "page 3 is the last, and 3 items have come of a total of 4"),
    ])
    func `all items come once, or an error`(_ example: Case) async throws {
        try await withClient(against: paged(example.answer)) { client, upstream async throws in
            let pagination = SincePagination(
                parameter: "since", field: path("at"), total: example.total == nil ? nil : .header("X-Total"))
            var collection = makeCollection(client, upstream.url).pages(pagination)
            do {
                #expect(try await collection.readAll() == Array(example.values.indices))
                #expect(example.error == nil)
            } catch let error as PaginationError {
                #expect("\(error)" == example.error)
                #expect(error.isInconsistency)
            }
        }
    }

    @Test func `an item that comes again with another value has moved`() async throws {
        let answers = Shared([
            #"[{"id":1,"at":1},{"id":2,"at":2}]"#, #"[{"id":2,"at":2},{"id":1,"at":3}]"#,
        ])
        let script = paged { _ in PageAnswer(body: answers.withLock { $0.removeFirst() }) }
        try await withClient(against: script) { client, upstream async throws in
            var collection = makeCollection(client, upstream.url).pages(
                SincePagination(parameter: "since", field: path("at")))
            await #expect(throws: PaginationError.movedItem(id: "1", earlier: 1, page: 2)) {
                try await collection.readAll()
            }
        }
    }
}
