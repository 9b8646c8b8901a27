import Configuration
import Testing

struct NetworkAddressTests {
    @Test(
        "addresses are read and printed",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1", 8080), ("example.com:443", "example.com", 443),
            ("my_host-1:0", "my_host-1", 0), ("[::1]:65535", "::1", 65535),
        ])
    func addressesAreReadAndPrinted(_ text: String, _ host: String, _ port: Int) {
        let address = NetworkAddress(text)
        #expect(address == NetworkAddress(host: host, port: port))
        #expect(address?.description == text)
    }

    @Test(
        "what is no address is refused",
        arguments: [
            "", "host", ":80", "host:", "host:x", "host:65536", "host:-1", "host:+1", "::1:80", "[::1]", "[host]:80",
            "http://host:80", "a b:80", "host/:80", "u@host:80", "[]:80",
        ])
    func whatIsNoAddressIsRefused(_ text: String) {
        #expect(NetworkAddress(text) == nil)
    }
}
