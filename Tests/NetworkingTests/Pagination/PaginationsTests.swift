internal import JSON
internal import TestSupport
internal import Testing

@testable internal import Networking

/// Every pagination against an upstream that pages in that way: what is asked, and that all items come.
@Suite(.timeLimit(.minutes(1)))
struct PaginationsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pagination: any Pagination
        var items = JSONPath.root
        /// What is asked for, in order, without the path.
        let targets: [String]
        let count: Int
        let answer: @Sendable (String) -> PageAnswer
    }

    @Test(arguments: numbered + offsets + others)
    func `asks for all pages, in order, and no more`(_ example: Case) async throws {
        try await withClient(against: paged(example.answer)) { client, upstream async throws in
            var collection = makeCollection(client, upstream.url, itemsPath: example.items).pages(example.pagination)
            #expect(try await collection.readAll() == Array(0..<example.count))
            #expect(upstream.targets == example.targets.map { "/products\($0)" })
            #expect(!collection.hasMore)
            #expect(try await collection.fetchNext() == nil)
        }
    }

    @Test(
        arguments: [
            LinkPagination(total: .header("X-Total")),
            CursorPagination(parameter: "c", next: .path(path("next")), total: .header("X-Range")),
        ] as [any Pagination])
    func `a lost link is noticed by the total`(pagination: any Pagination) async throws {
        let answer: @Sendable (String) -> PageAnswer = { _ in
            PageAnswer(headers: "X-Total: 3\r\nX-Range: 0-1/3\r\n", body: #"{"items":[{"id":0},{"id":1}]}"#)
        }
        try await withClient(against: paged(answer)) { client, upstream async throws in
            var collection = makeCollection(client, upstream.url, itemsPath: path("items")).pages(pagination)
            await #expect(throws: PaginationError.wrongTotal(3, items: 2, page: 1)) { try await collection.readAll() }
        }
    }

    @Test(arguments: [
        ("0-3/10", 10), ("items 0-3/10", 10), ("resources 0-3/10", 10), ("*/0", 0), ("items */7", 7), ("0-3/*", nil),
        ("10", nil), ("3/10", nil), ("a/b", nil), ("0-3/-1", nil), ("0-3/1/2", nil), ("bytes 0-3/10", nil),
    ])
    func `the total of a range stands behind its slash`(text: String, total: Int?) throws {
        let page = try CollectionPage(
            HTTPClientResponse(status: 200, headers: HTTPHeaders([HTTPHeader("R", text)]), body: Array("[]".utf8)),
            number: 1,
            itemsPaths: [.root], isGraphQL: false, items: { $0.array })
        let found = try? ResponseField.header("R").count(in: page)
        #expect(found == (text == "10" ? 10 : total))
    }

    /// Seven items on pages of three, the page's number being named `page`.
    @Sendable private static func seven(_ target: String) -> PageAnswer {
        let start = min(7, 3 * ((number("page", in: target) ?? 1) - 1))
        return .items(start..<min(start + 3, 7), headers: "X-Pages: 3\r\nX-Total: 7\r\n")
    }

    static let numbered: [Case] = [
        Case(
            testDescription: "page, until the count of pages in a header",
            pagination: NumberedPagination(pages: .header("x-pages")),
            targets: ["?page=1", "?page=2", "?page=3"], count: 7, answer: seven),
        Case(
            testDescription: "page, until the total in a header",
            pagination: NumberedPagination(total: .header("X-Total")),
            targets: ["?page=1", "?page=2", "?page=3"], count: 7, answer: seven),
        Case(
            testDescription: "page, until one that is shorter than full ones",
            pagination: NumberedPagination(sizeParameter: "size", size: 3),
            targets: ["?page=1&size=3", "?page=2&size=3", "?page=3&size=3"], count: 7, answer: seven),
        Case(
            testDescription: "page, until an empty one where no size is known", pagination: NumberedPagination(),
            targets: ["?page=1", "?page=2", "?page=3", "?page=4"], count: 7, answer: seven),
        Case(
            testDescription: "page, of an upstream that gives fewer than asked for on every page",
            pagination: NumberedPagination(sizeParameter: "size", size: 100),
            targets: ["?page=1&size=100", "?page=2&size=100", "?page=3&size=100", "?page=4&size=100"], count: 7,
            answer: seven),
        Case(
            testDescription: "page, from 0, with the count of pages in the body as a text",
            pagination: NumberedPagination(parameter: "p", firstNumber: 0, pages: .path(path("meta.pages"))),
            items: path("data"), targets: ["?p=0", "?p=1"], count: 4
        ) { target in
            let start = 2 * (number("p", in: target) ?? 0)
            return PageAnswer(body: #"{"meta":{"pages":"2"},"data":\#(PageAnswer.list(start..<start + 2))}"#)
        },
        Case(
            testDescription: "page, of a collection without items",
            pagination: NumberedPagination(pages: .header("X-Pages"), total: .header("X-Total")),
            targets: ["?page=1"], count: 0
        ) { _ in .items(0..<0, headers: "X-Pages: 0\r\nX-Total: 0\r\n") },
    ]

    /// Seven items, at most three at a time.
    @Sendable private static func fromOffset(_ target: String) -> PageAnswer {
        let start = min(7, number("skip", in: target) ?? 0)
        let items = PageAnswer.list(start..<min(start + 3, 7))
        return PageAnswer(headers: "X-Total: 7\r\n", body: #"{"items":\#(items),"total":7}"#)
    }

    static let offsets: [Case] = [
        Case(
            testDescription: "offset, until the total in the body, by as many items as came",
            pagination: OffsetPagination(offsetParameter: "skip", limit: 100, total: .path(path("total"))),
            items: path("items"), targets: ["?skip=0&limit=100", "?skip=3&limit=100", "?skip=6&limit=100"], count: 7,
            answer: fromOffset),
        Case(
            testDescription: "offset, until the total in a header",
            pagination: OffsetPagination(offsetParameter: "skip", total: .header("X-Total")),
            items: path("items"), targets: ["?skip=0", "?skip=3", "?skip=6"], count: 7, answer: fromOffset),
        Case(
            testDescription: "offset, until a page that is shorter than full ones",
            pagination: OffsetPagination(offsetParameter: "skip", limitParameter: "n", limit: 3), items: path("items"),
            targets: ["?skip=0&n=3", "?skip=3&n=3", "?skip=6&n=3"], count: 7, answer: fromOffset),
        Case(
            testDescription: "offset, until an empty page", pagination: OffsetPagination(offsetParameter: "skip"),
            items: path("items"), targets: ["?skip=0", "?skip=3", "?skip=6", "?skip=7"], count: 7,
            answer: fromOffset),
    ]

    static let others: [Case] = [
        Case(
            testDescription: "cursor, with the total in a range",
            pagination: CursorPagination(parameter: "after", next: .path(path("next")), total: .header("resources")),
            items: path("items"), targets: ["", "?after=1"], count: 2
        ) { target in
            let page = target == "/products" ? 0 : 1
            return PageAnswer(
                status: page == 0 ? "206 Partial Content" : "200 OK", headers: "resources: items \(page)-\(page)/2\r\n",
                body: #"{"items":[{"id":\#(page)}],"next":\#(page == 0 ? "1" : "null")}"#)
        },
        Case(
            testDescription: "link, with the total in the body",
            pagination: LinkPagination(total: .path(path("total"))), items: path("items"), targets: ["", "?p=2"],
            count: 2
        ) { target in
            let page = target == "/products" ? 0 : 1
            return PageAnswer(
                headers: page == 0 ? "Link: <?p=2>; rel=next\r\n" : "", body: #"{"items":[{"id":\#(page)}],"total":2}"#)
        },
        Case(
            testDescription: "cursor, percent-encoded, until there is none",
            pagination: CursorPagination(parameter: "after", next: .path(path("next"))), items: path("items"),
            targets: ["", "?after=a%26b%3D%2F%2B%20%25c%C3%A9%3D%3D", "?after=17"], count: 6
        ) { target in
            let page = ["/products": 0, "/products?after=17": 2][target] ?? 1
            let next = [#""a&b=/+ %cé==""#, "17", "null"][page]
            return PageAnswer(body: #"{"items":\#(PageAnswer.list(2 * page..<2 * page + 2)),"next":\#(next)}"#)
        },
        Case(
            testDescription: "cursor that is a URL, until it is empty",
            pagination: CursorPagination(parameter: nil, next: .path(path("links.next"))), items: path("items"),
            targets: ["", "?page=2&a=b%20c"], count: 2
        ) { target in
            let isFirst = target == "/products"
            let next = isFirst ? "?page=2&a=b c" : ""
            return PageAnswer(body: #"{"items":[{"id":\#(isFirst ? 0 : 1)}],"links":{"next":"\#(next)"}}"#)
        },
        Case(
            testDescription: "link, relative and in other words than usual", pagination: LinkPagination(),
            targets: ["", "/2?a=1,2;3", "?page=3"], count: 3
        ) { target in
            switch target {
            case "/products":
                let links =
                    "Link: </x>; rel=prev,\r\nlink: <products/2?a=1,2;3>; title=\"a, \\\"b\"; REL=\"last Next\"\r\n"
                return .items(0..<1, headers: links)
            case "/products/2?a=1,2;3":
                return .items(1..<2, headers: "Link: <../products?page=3>;rel=next, </>; rel=first\r\n")
            default: return .items(2..<3, headers: "Link: </products>; rel=\"first\"\r\n")
            }
        },
        Case(
            testDescription: "since, until an empty page",
            pagination: SincePagination(parameter: "since", field: path("at")),
            targets: [""] + (0..<4).map { "?since=2026-01-01T00%3A00%3A00%2B0\($0)" }, count: 4
        ) { target in
            let start = target.last?.wholeNumberValue.map { $0 + 1 } ?? 0
            return .items(start..<max(start, min(start + 2, 4)))
        },
    ]
}
