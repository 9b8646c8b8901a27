import Testing

@testable import Configuration

struct URLTextTests {
    @Test(
        "web addresses are accepted as they stand",
        arguments: [
            "http://example.com", "https://example.com/a?b=c#d", "http://127.0.0.1:8081", "http://[::1]:80/x",
            "HTTP://Host/", "http://user:pass@host:1/", "http://[::1]",
        ])
    func webAddressesAreAccepted(_ text: String) {
        #expect(URLText.parse(text) == text)
    }

    @Test(
        "everything else is refused",
        arguments: [
            "", "example.com", "ftp://example.com", "http://", "http:///path", "http://:80/", "http://host:99999/",
            "http://a b/", "http://host/\n", "//host",
        ])
    func everythingElseIsRefused(_ text: String) {
        #expect(URLText.parse(text) == nil)
    }

    @Test(
        "what is wrong with a web address is told, and what was probably meant",
        arguments: [
            ("", "it is empty", nil), ("http://a b/", "it holds a blank or a control character", nil),
            ("shop.example/v2", "it has no scheme", "http://shop.example/v2"),
            ("localhost:8081", "it has no scheme", "http://localhost:8081"), ("//host", "it has no scheme", nil),
            ("htp://shop", "its scheme is neither http nor https", "http://shop"),
            ("ftp://shop", "its scheme is neither http nor https", nil),
            ("file:///etc", "its scheme is neither http nor https", nil),
            ("http://http://shop:8081", "it has two schemes", "http://shop:8081"),
            ("http://", "it has no host", nil), ("http://:80/", "it has no host", nil),
            ("http://sh$p/", "its host is neither a name nor an address", nil),
            ("http://host:99999/", "its port is no number from 0 to 65535", nil),
            ("http://::1:80/x", "an IPv6 address needs brackets", "http://[::1]:80/x"),
        ])
    func faults(text: String, problem: String, meant: String?) {
        #expect(URLText.parse(text) == nil)
        let fault = URLText.fault(text)
        #expect(fault?.problem == problem)
        #expect(fault?.meant == meant)
    }
}
