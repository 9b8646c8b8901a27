internal import JSON
internal import TestSupport
internal import Testing

@testable internal import Networking

/// Everything that pages can be instead of parts of one whole.
@Suite(.timeLimit(.minutes(1)))
struct BadPagesTests {
    struct BadPages: Sendable, CustomTestStringConvertible {
        let message: String
        var isInconsistency = false
        let pagination: any Pagination
        /// The answers by their order; the last one stays.
        let answers: [PageAnswer]

        var testDescription: String { message }
    }

    @Test(arguments: malformed + loops + changes)
    func `each is an error that names page and finding`(_ bad: BadPages) async throws {
        let left = Shared(bad.answers)
        let script = paged { _ in left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
        try await withClient(against: script) { client, upstream async throws in
            var collection = makeCollection(client, upstream.url).pages(bad.pagination)
            do {
                _ = try await collection.readAll()
                Issue.record("these are no good pages")
            } catch let error as PaginationError {
                let message = bad.message.replacing("PORT", with: "\(upstream.port)")
                #expect("\(error)" == message)
                #expect(error.isInconsistency == bad.isInconsistency)
            }
        }
    }

    private static let numbered = NumberedPagination()
    private static let counted = NumberedPagination(pages: .header("X-Pages"), total: .header("X-Total"))
    private static let since = SincePagination(parameter: "since", field: path("at.day"))

    private static func counted(_ ids: Range<Int>, pages: Int = 3, total: Int = 6) -> PageAnswer {
        .items(ids, headers: "X-Pages: \(pages)\r\nX-Total: \(total)\r\n")
    }

    static let malformed: [BadPages] = [
        BadPages(
            message: "page 2: the upstream answered 500", pagination: numbered,
            answers: [.items(0..<1), PageAnswer(status: "500 Oh")]),
        BadPages(
            message: "page 2: HTML instead of JSON", pagination: numbered,
            answers: [.items(0..<1), PageAnswer(body: "<html>")]),
        BadPages(
            message: "page 2: invalid JSON at line 1, column 1: expected a value, found \"o\"", pagination: numbered,
            answers: [.items(0..<1), PageAnswer(body: "oh")]),
        BadPages(
            message: "page 2: expected an array at the top level, found an object", pagination: numbered,
            answers: [.items(0..<1), PageAnswer(body: #"{"error":"slow down"}"#)]),
        BadPages(
            message: "page 1: expected a whole number at header X-Total, found nothing",
            pagination: NumberedPagination(total: .header("X-Total")), answers: [.items(0..<1)]),
        BadPages(
            message: "page 1: expected a whole number at header X-Pages, found string \"-3\"",
            pagination: NumberedPagination(pages: .header("X-Pages")),
            answers: [.items(0..<1, headers: "X-Pages: -3\r\n")]),
        BadPages(
            message: "page 1: expected a cursor at \"0.id\", found an object",
            pagination: CursorPagination(parameter: "c", next: .path(path("0.id"))),
            answers: [PageAnswer(body: #"[{"id":{}}]"#)]),
        BadPages(
            message: "page 1: expected a text or number at \"at.day\" of the last item, [1], found nothing",
            pagination: since, answers: [PageAnswer(body: #"[{"at":{"day":1}},{"at":2}]"#)]),
        BadPages(
            message: "page 1: expected links at header Link, found something else", pagination: LinkPagination(),
            answers: [.items(0..<1, headers: "Link: /products?page=2; rel=next\r\n")]),
        BadPages(
            message: "page 1 links to an invalid URL", pagination: LinkPagination(),
            answers: [.items(0..<1, headers: "Link: <http://me:secret@127.0.0.1/>; rel=next\r\n")]),
        BadPages(
            message: "page 1 links to http://127.0.0.1:1, which is not followed from http://127.0.0.1:PORT",
            pagination: LinkPagination(),
            answers: [.items(0..<1, headers: "Link: <http://127.0.0.1:1/?token=secret>; rel=next\r\n")]),
        BadPages(
            message: "page 1 links to https://evil.example, which is not followed from http://127.0.0.1:PORT",
            pagination: CursorPagination(parameter: "c", next: .path(path("0.next"))),
            answers: [PageAnswer(body: #"[{"next":"https://evil.example/"}]"#)]),
        BadPages(
            message: "page 1 links to http://localhost, which is not followed from http://127.0.0.1:PORT",
            pagination: LinkPagination(), answers: [.items(0..<1, headers: "Link: <//localhost/>; rel=next\r\n")]),
    ]

    static let loops: [BadPages] = [
        BadPages(message: "page 2 is page 1 again", pagination: numbered, answers: [.items(0..<1), .items(0..<1)]),
        BadPages(
            message: "page 1 leads back to page 1", pagination: LinkPagination(),
            answers: [.items(0..<1, headers: "Link: <>; rel=next\r\n")]),
        BadPages(
            message: "page 3 leads back to page 2",
            pagination: CursorPagination(parameter: "c", next: .path(path("0.c"))),
            answers: [
                PageAnswer(body: #"[{"c":"a"}]"#), PageAnswer(body: #"[{"c":"b"}]"#),
                PageAnswer(body: #"[{"c":"a","x":1}]"#),
            ]),
        BadPages(
            message: "there are more than 2 pages", pagination: NumberedPagination(maxPages: 2),
            answers: [.items(0..<1), .items(1..<2), .items(2..<3)]),
        BadPages(
            message: "there are more than 2 pages",
            pagination: NumberedPagination(pages: .header("X-Pages"), maxPages: 2), answers: [counted(0..<2)]),
        BadPages(
            message: "there are more than 3 pages", pagination: LinkPagination(maxPages: 3),
            answers: (0..<4).map { .items($0..<$0 + 1, headers: "Link: <?page=\($0 + 2)>; rel=next\r\n") }),
    ]

    static let changes: [BadPages] = [
        BadPages(
            message: "page 2: the total changed from 6 to 5", isInconsistency: true, pagination: counted,
            answers: [counted(0..<2), counted(2..<4, total: 5)]),
        BadPages(
            message: "page 3: the number of pages changed from 3 to 4", isInconsistency: true, pagination: counted,
            answers: [counted(0..<2), counted(2..<4), counted(4..<6, pages: 4)]),
        BadPages(
            message: "page 2 of 3 is empty", isInconsistency: true, pagination: counted,
            answers: [counted(0..<2), counted(2..<2), counted(2..<6)]),
        BadPages(
            message: "page 3 is the last, and 5 items have come of a total of 6", isInconsistency: true,
            pagination: counted, answers: [counted(0..<2), counted(2..<4), counted(4..<5)]),
        BadPages(
            message: "page 3 is the last, and 7 items have come of a total of 6", isInconsistency: true,
            pagination: OffsetPagination(total: .header("X-Total")),
            answers: [counted(0..<2), counted(2..<4), counted(4..<7)]),
        BadPages(
            message: "page 2 is the last, and 2 items have come of a total of 6", isInconsistency: true,
            pagination: OffsetPagination(total: .header("X-Total")), answers: [counted(0..<2), counted(2..<2)]),
        BadPages(
            message: "the item \"1\" is on page 1 and again on page 2", isInconsistency: true, pagination: counted,
            answers: [counted(0..<2), counted(1..<3)]),
        BadPages(
            message: "the item \"a\" is on page 1 and again on page 3", isInconsistency: true,
            pagination: numbered,
            answers: [PageAnswer(body: #"[{"id":"a"}]"#), .items(0..<1), PageAnswer(body: #"[{"id":"a","n":1}]"#)]),
    ]
}
