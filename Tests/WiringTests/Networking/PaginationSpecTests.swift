internal import Configuration
internal import JSON
internal import Testing

@testable internal import Networking
@testable internal import Wiring

struct PaginationSpecTests {
    @Test func `fields become a pagination`() throws {
        let numbered = try #require(
            try makePagination(
                "{ type: page, parameter: p, size_parameter: per_page, size: 50, first: 0, max_pages: 7 }"))
        #expect(numbered.first == .parameters([QueryParameter("p", "0"), QueryParameter("per_page", "50")]))
        #expect(numbered.maxPages == 7)
        let offset = try #require(
            try makePagination(
                "{ type: offset, offset_parameter: skip, limit_parameter: n, limit: 20, total: { header: X-Total } }"))
        #expect(offset.first == .parameters([QueryParameter("skip", "0"), QueryParameter("n", "20")]))
        #expect(offset.maxPages == 1000)
        #expect(try makePagination("{ type: single }") == nil)
        let linked = try makePagination("{ type: link, total: { path: n } }") as? LinkPagination
        #expect(linked?.total == .path(try #require(JSONPath("n"))))
        let cursor =
            try makePagination("{ type: cursor, next: { path: n }, total: { header: T } }") as? CursorPagination
        #expect(cursor?.total == .header("T"))
    }

    @Test(arguments: [
        ("{ type: cursor, parameter: c }", "f:2:6: error: missing \"next\" in \"cursor\""),
        ("{ type: since, field: at }", "f:2:6: error: missing \"parameter\" in \"since\""),
        ("{ type: since, parameter: \"\", field: at }", "f:2:32: error: \"parameter\" must not be empty"),
        (
            "{ type: since, parameter: s, field: a..b }",
            "f:2:42: error: \"a..b\" is no key path; write names with dots between them, like data.products"
        ),
        ("{ type: link, total: {} }", "f:2:27: error: \"total\" needs \"header\" or \"path\""),
        (
            "{ type: cursor, next: { path: n }, total: 3 }",
            "f:2:48: error: \"total\": expected mapping, found \"3\"; write it like { path: meta.total } or { header: NAME }"
        ),
        ("{ type: page, pages: {} }", "f:2:27: error: \"pages\" needs \"header\" or \"path\""),
        (
            "{ type: page, total: { header: X, path: y } }",
            "f:2:46: error: \"header\" and \"path\" exclude each other; keep one"
        ),
        ("{ type: page, total: { header: \"X Y\" } }", "f:2:37: error: \"X Y\" is no name of a header"),
        (
            "{ type: page, total: 3 }",
            "f:2:27: error: \"total\": expected mapping, found \"3\"; write it like { path: meta.total } or { header: NAME }"
        ),
        (
            "{ type: cursor, parameter: c, next: \"links[0].next\" }",
            "f:2:42: error: \"next\": expected mapping, found \"links[0].next\"; write it like { path: meta.next } or { "
                + "header: NAME }"
        ),
        (
            "{ type: since, parameter: s, field: \"a[0].b\" }",
            "f:2:42: error: \"a[0].b\" is no key path; an index of an array stands between dots, like a.0.b"
        ),
        (
            "{ type: page, size_parameter: n }",
            "f:2:36: error: \"size_parameter\" is sent only with \"size\", which is missing"
        ),
        (
            "{ type: offset, limit: 0 }",
            "f:2:29: error: \"limit\": \"0\" is out of range; it must be at least 1"
        ),
        (
            "{ type: link, max_pages: 0 }",
            "f:2:31: error: \"max_pages\": \"0\" is out of range; it must be at least 1"
        ),
        (
            "{ type: since, parameter: s, field: at, full_every: 0s }",
            "f:2:58: error: \"full_every\": \"0s\" is out of range; it must be at least 1ms"
        ),
        (
            "{ type: link, max_page: 5 }",
            "f:2:20: error: unknown key \"max_page\" in \"link\"; did you mean \"max_pages\"?"
        ),
    ])
    func `what is wrong is said where it is`(yaml: String, problem: String) {
        #expect(networkProblems("paginations:\n  p: \(yaml)\n") == [problem])
    }
}
