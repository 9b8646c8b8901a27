import Testing

@testable import Configuration

struct URLTextTests {
    @Test(arguments: [
        "http://example.com", "https://example.com/a?b=c#d", "http://127.0.0.1:8081", "http://[::1]:80/x",
        "HTTP://Host/", "http://user:pass@host:1/", "http://[::1]",
    ])
    func `web addresses are accepted as they stand`(_ text: String) {
        #expect(URLText(schemes: ["http", "https"]).parse(text) == text)
    }

    @Test(arguments: [
        "", "example.com", "ftp://example.com", "http://", "http:///path", "http://:80/", "http://host:99999/",
        "http://a b/", "http://host/\n", "//host", "http://shop..example/", "http://[1:2:3]/", "http://300.1.1.1/",
    ])
    func `everything else is refused`(_ text: String) {
        #expect(URLText(schemes: ["http", "https"]).parse(text) == nil)
    }

    @Test(arguments: [
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
        ("http://2001:db8::1/x", "an IPv6 address needs brackets", nil),
        ("http://[1:2:3]/", "its host is neither a name nor an address", nil),
    ])
    func `what is wrong with a web address is told, and what was probably meant`(
        text: String, problem: String, meant: String?
    ) {
        #expect(URLText(schemes: ["http", "https"]).parse(text) == nil)
        let fault = URLText(schemes: ["http", "https"]).fault(text)
        #expect(fault?.problem == problem)
        #expect(fault?.meant == meant)
    }
}

struct NetworkAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8080), ("example.com:443", "example.com", 443),
        ("my_host-1:0", "my_host-1", 0), ("[::1]:65535", "::1", 65535), ("[fe80::1%2]:80", "fe80::1%2", 80),
        ("[::ffff:10.0.0.7]:80", "::ffff:10.0.0.7", 80), ("shop.example.:80", "shop.example.", 80),
        ("1.pool.example:80", "1.pool.example", 80),
    ])
    func `addresses are read and printed`(_ text: String, _ host: String, _ port: Int) {
        let address = NetworkAddress(text)
        #expect(address == NetworkAddress(host: host, port: port))
        #expect(address?.description == text)
    }

    @Test(arguments: [
        "", "host", ":80", "host:", "host:x", "host:65536", "host:-1", "host:+1", "::1:80", "[::1]", "[host]:80",
        "http://host:80", "a b:80", "host/:80", "u@host:80", "[]:80", "[:]:1", "[1:2:3]:80", "[::1%]:80",
        "999.1.1.1:80", "1.2.3:80", "a..b:80", ".a:80", ".:80",
    ])
    func `what is no address is refused`(_ text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test(arguments: [
        ("", "it is empty", nil), ("localhost", "it has no port", nil), ("[::1]", "it has no port", nil),
        ("localhost:", "it has no port", nil), ("8080", "it has no host", nil), (":8080", "it has no host", nil),
        ("http://shop:8081", "it begins with a scheme", "shop:8081"),
        ("http://shop/v2", "it begins with a scheme", "shop:80"),
        ("https://shop.example", "it begins with a scheme", "shop.example:443"),
        ("https://[::1]/", "it begins with a scheme", "[::1]:443"),
        ("ftp://shop", "it begins with a scheme", nil), ("http://", "it begins with a scheme", nil),
        ("shop:8081/v2", "it has a path", "shop:8081"), ("shop/v2", "it has a path", nil),
        ("me@shop:80", "it has a user before the host", nil),
        ("::1:80", "an IPv6 address needs brackets", "[::1]:80"),
        ("::1", "an IPv6 address needs brackets", nil), ("::", "an IPv6 address needs brackets", nil),
        ("2001:db8::1", "an IPv6 address needs brackets", nil),
        ("[1:2:3]:80", "its host is neither a name nor an address", nil),
        ("999.1.1.1:80", "its host is neither a name nor an address", nil),
        ("a..b:80", "its host is neither a name nor an address", nil),
        ("shop:99999", "its port is no number from 0 to 65535", nil),
        ("shop:http", "its port is no number from 0 to 65535", nil),
        ("a b:80", "its host is neither a name nor an address", nil),
    ])
    func `what is wrong with an address is told, and what was probably meant`(
        text: String, problem: String, meant: String?
    ) {
        #expect(NetworkAddress(text) == nil)
        let fault = NetworkAddress.fault(text)
        #expect(fault?.problem == problem)
        #expect(fault?.meant == meant)
    }

    @Test(arguments: [
        ("8081", "it has no host; write it like 127.0.0.1:8081"),
        ("http://shop:8081", "it begins with a scheme; did you mean \"shop:8081\"?"),
    ])
    func `a command line is told the fault, and a form or the address that was probably meant`(
        text: String, complaint: String
    ) {
        #expect(NetworkAddress.complaint(about: text) == complaint)
    }
}
