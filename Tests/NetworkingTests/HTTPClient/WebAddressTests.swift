internal import Testing

@testable internal import Networking

struct WebAddressTests {
    @Test(arguments: [
        ("https://h/x?y=1", "https://h/x?y=1"), ("HTTP://Shop.Example:80/x", "http://shop.example/x"),
        ("//other:8080/x", "http://other:8080/x"), ("/x", "http://h:8/x"), ("x", "http://h:8/a/x"),
        ("?p=2", "http://h:8/a/b?p=2"), ("", "http://h:8/a/b?q=1"), ("#end", "http://h:8/a/b?q=1"),
        ("../x", "http://h:8/x"), ("../../../x", "http://h:8/x"), ("./x/./y/..", "http://h:8/a/x/"),
        ("x?u=http://y/", "http://h:8/a/x?u=http://y/"), (" /x y/ü[] ", "http://h:8/x%20y/%C3%BC[]"),
        ("http://[::1]:80/x", "http://[::1]/x"), ("http://h:", "http://h/"),
    ])
    func `links lead where RFC 3986 says`(reference: String, expected: String) throws {
        let base = try #require(WebAddress("http://h:8/a/b?q=1#f"))
        #expect(base.resolving(reference)?.text == expected)
    }

    @Test(arguments: [
        "http://user@h/", "http://user:word@h/", "http://h\\@evil/", "\\\\evil/", "ftp://h/", "file:///etc/passwd",
        "javascript:alert(1)", "http:/x", "http:x", "http://", "http:///x", "http://h:port/", "http://h:99999/",
        "http://h%2eevil/", "http://ü/", "/a\nb", "/a\u{0}", "http://[::1/", "page:2",
    ])
    func `what readers of URLs disagree about is not followed`(reference: String) throws {
        let base = try #require(WebAddress("http://h:8/a/b?q=1"))
        #expect(base.resolving(reference)?.text == nil)
    }

    @Test(arguments: [
        ("http://h/a", "http://H:80/b", true), ("https://h", "https://h:443", true),
        ("http://h", "https://h", false),
        ("http://h", "http://h.", false), ("http://h", "http://h:8080", false), ("http://h", "http://i", false),
    ])
    func `an origin is scheme, host and port`(left: String, right: String, same: Bool) throws {
        let (left, right) = try (#require(WebAddress(left)), #require(WebAddress(right)))
        #expect((left.origin == right.origin) == same)
    }
}
