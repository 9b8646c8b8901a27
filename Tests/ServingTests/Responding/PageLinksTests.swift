import HTTPServer
import Testing

@testable import Serving

@Suite struct PageLinksTests {
    @Test(arguments: [
        ("", "", "?cursor=c"),
        ("?", "", "?cursor=c"),
        ("?limit=2", "?limit=2", "?limit=2&cursor=c"),
        ("?cursor=old&limit=2&%63ursor=x", "?limit=2", "?limit=2&cursor=c"),
        ("?a=1,2&&q=b+c%0D%0AX:%20y", "?a=1,2&q=b%20c%0D%0AX%3A%20y", "?a=1,2&q=b%20c%0D%0AX%3A%20y&cursor=c"),
        ("?q=%3E;\"<>\u{e9}", "?q=%3E%3B%22%3C%3E%C3%A9", "?q=%3E%3B%22%3C%3E%C3%A9&cursor=c"),
        ("?a%26b=%25", "?a%26b=%25", "?a%26b=%25&cursor=c"),
    ])
    func `a link repeats the query without its cursor, percent-encoded`(query: String, first: String, next: String)
        throws
    {
        let links = try PageLinks(HTTPRequest(target: "/products\(query)"), path: "/products")
        #expect(links.first == "</products\(first)>; rel=\"first\"")
        #expect(links.next("c") == "</products\(next)>; rel=\"next\"")
        var head = HTTPHeaderBlock()
        try head.append("Link", links.first)
    }
}
