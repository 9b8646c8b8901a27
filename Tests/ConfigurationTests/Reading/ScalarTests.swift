import Testing

@testable import Configuration

struct DurationTextTests {
    @Test(arguments: [
        ("0", Duration.zero), ("0s", .zero), ("250ms", .milliseconds(250)), ("5s", .seconds(5)),
        ("2m", .seconds(120)), ("3h", .seconds(10_800)), ("7d", .seconds(604_800)), ("1m30s", .seconds(90)),
        ("1d2h3m4s5ms", .milliseconds(93_784_005)), ("1h1ms", .milliseconds(3_600_001)),
    ])
    func `durations are read`(_ text: String, _ duration: Duration) {
        #expect(DurationText.parse(text) == duration)
    }

    @Test(arguments: [
        "", "5", "s", "5 s", "5 sec", "-5s", "+5s", "1.5s", "5S", "30s1m", "1m1m", "1ms1s", "5sx", "٥s", "1w",
        "5m ",
        "9223372036854775807d", "99999999999999999999s", "9223372036854775807ms1ms",
    ])
    func `what is no duration is refused`(_ text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(arguments: [0, 1, 999, 1_000, 61_001, 86_400_000, 694_861_001])
    func `a formatted duration is read back`(_ milliseconds: Int) {
        let duration = Duration.milliseconds(milliseconds)
        #expect(DurationText.parse(DurationText.format(duration)) == duration)
    }
}

struct SizeTextTests {
    @Test(arguments: [
        ("0", 0), ("512", 512), ("512B", 512), ("16KiB", 16_384), ("64MiB", 67_108_864), ("1GiB", 1_073_741_824),
        ("10kB", 10_000), ("5MB", 5_000_000), ("1GB", 1_000_000_000),
    ])
    func `sizes are read`(_ text: String, _ bytes: Int) {
        #expect(SizeText.parse(text) == bytes)
    }

    @Test(arguments: ["", "KiB", "16 KiB", "16KB", "16K", "16kib", "-1", "1.5MiB", "9223372036854775807KiB", "1TiBx"])
    func `what is no size is refused`(_ text: String) {
        #expect(SizeText.parse(text) == nil)
    }

    @Test(arguments: [0, 1, 1_000, 1_024, 1_536, 5_000_000, 1 << 26, 1 << 40])
    func `a formatted size is read back`(_ bytes: Int) {
        #expect(SizeText.parse(SizeText.format(bytes)) == bytes)
    }
}

struct URLTextTests {
    @Test(arguments: [
        "http://example.com", "https://example.com/a?b=c#d", "http://127.0.0.1:8081", "http://[::1]:80/x",
        "HTTP://Host/", "http://user:pass@host:1/", "http://[::1]",
    ])
    func `web addresses are accepted as they stand`(_ text: String) {
        #expect(URLText.parse(text) == text)
    }

    @Test(arguments: [
        "", "example.com", "ftp://example.com", "http://", "http:///path", "http://:80/", "http://host:99999/",
        "http://a b/", "http://host/\n", "//host",
    ])
    func `everything else is refused`(_ text: String) {
        #expect(URLText.parse(text) == nil)
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
    ])
    func `what is wrong with a web address is told, and what was probably meant`(
        text: String, problem: String, meant: String?
    ) {
        #expect(URLText.parse(text) == nil)
        let fault = URLText.fault(text)
        #expect(fault?.problem == problem)
        #expect(fault?.meant == meant)
    }
}

struct NetworkAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8080), ("example.com:443", "example.com", 443),
        ("my_host-1:0", "my_host-1", 0), ("[::1]:65535", "::1", 65535),
    ])
    func `addresses are read and printed`(_ text: String, _ host: String, _ port: Int) {
        let address = NetworkAddress(text)
        #expect(address == NetworkAddress(host: host, port: port))
        #expect(address?.description == text)
    }

    @Test(arguments: [
        "", "host", ":80", "host:", "host:x", "host:65536", "host:-1", "host:+1", "::1:80", "[::1]", "[host]:80",
        "http://host:80", "a b:80", "host/:80", "u@host:80", "[]:80",
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
}
