import HTTPServer
import Testing

@testable import Service

@Suite struct ClientAddressTests {
    @Test func `the networks and the naming reach the server, and fields the port for operators too`() throws {
        let text = "http: { trusted_proxies: [10.0.0.0/8, \"fd00::/8\", 192.0.2.1], client_address: NAMING }"
        for naming in TrustedProxies.Naming.allCases {
            let section = text.replacing("NAMING", with: naming.rawValue)
            let options = HTTPServerOptions(try ServiceSettings.loaded(makeConfiguration(section)).service.http)
            let proxies = try #require(options.proxies)
            #expect(proxies.naming == naming)
            #expect(proxies.networks.map(\.description) == ["10.0.0.0/8", "fd00::/8", "192.0.2.1/32"])
            #expect(options.forOperators.proxies == (naming == .proxyProtocol ? nil : proxies))
        }
    }

    @Test(arguments: [
        (
            "trusted_proxies: [10.0.0.1/8], client_address: forwarded",
            "\"trusted_proxies\": expected a network like 10.0.0.0/8 or an address, found \"10.0.0.1/8\""
        ),
        (
            "trusted_proxies: [proxy.example], client_address: forwarded",
            "\"trusted_proxies\": expected a network like 10.0.0.0/8 or an address, found \"proxy.example\""
        ),
        ("client_address: forwarded", "no proxy is trusted; list their networks in \"trusted_proxies\""),
        (
            "trusted_proxies: [], client_address: forwarded",
            "no proxy is trusted; list their networks in \"trusted_proxies\""
        ),
        (
            "trusted_proxies: [10.0.0.0/8]",
            "these proxies require \"client_address\": forwarded, x_forwarded_for or "
                + "proxy_protocol"
        ),
    ])
    func `a mistake is named at its place`(section: String, message: String) {
        let problems = problems(makeConfiguration("http: { \(section) }"))
        #expect(problems.count == 1)
        #expect(problems.first?.contains(message) == true, "\(problems)")
    }

    @Test func `the network around an address is suggested`() {
        let problems = problems(makeConfiguration("http: { trusted_proxies: [10.0.0.1/8], client_address: forwarded }"))
        #expect(problems.first?.contains("did you mean \"10.0.0.0/8\"?") == true, "\(problems)")
    }
}
