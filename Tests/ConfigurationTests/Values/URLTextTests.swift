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
}
