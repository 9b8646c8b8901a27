internal import Testing

@testable internal import Networking

struct LinkHeaderTests {
    @Test(arguments: [
        ("</b>; rel=\"next\"", "/b"), ("</b>;rel=next", "/b"), ("</b> ; REL = NEXT", "/b"),
        ("</a>; rel=prev, </b>; rel=next", "/b"), ("</a>;rel=prev,</b>;rel=next", "/b"),
        ("</b>; rel=\"last next\"", "/b"), ("</b?x=1,2;3>; rel=next", "/b?x=1,2;3"),
        ("</b>; title=\"rel=prev, <x>; \\\"y\\\"\"; rel=next", "/b"), ("</b>; rel=next; rel=prev", "/b"),
        ("</b>; crossorigin; rel=next", "/b"), (",, </b>; rel=next,,", "/b"), ("<>; rel=next", ""),
        ("</b>; rel=next, </c>; rel=next", "/b"), ("</b>; rel=next;", "/b"),
    ])
    func `finds where the next page is`(header: String, target: String) {
        #expect(LinkHeader(header)?.next == target)
    }

    @Test(arguments: [
        "", "</a>", "</a>; rel=prev", "</a>; rel=\"nextish\"", "</a>; rel=prev; rel=next", "</a>; rev=next",
        "</a>; rel=next; anchor=\"/other\"", "</a>; title=next",
    ])
    func `finds none where none is meant`(header: String) {
        #expect(LinkHeader(header) != nil)
        #expect(LinkHeader(header)?.next == nil)
    }

    @Test(arguments: ["/b; rel=next", "</b; rel=next", "</b>; rel=\"next", "</b> rel=next", "</b>; =next", "x"])
    func `does not guess what is no list of links`(header: String) {
        #expect(LinkHeader(header) == nil)
    }
}
