import Testing

@testable import HTTPServer

/// The proxies of these tests are 10.0.0.0/8 and fd00::/8; 192.0.2.0/24 and 2001:db8::/32 are clients, and 203.0.113.9 is
/// an address that a client would like to have.
@Suite struct TrustedProxiesTests {
    private static func proxies(_ naming: TrustedProxies.Naming) throws -> TrustedProxies {
        TrustedProxies(
            naming: naming, networks: try ["10.0.0.0/8", "fd00::/8"].map { try #require(AddressNetwork($0)) })
    }

    private static func client(_ naming: TrustedProxies.Naming, _ field: String, _ values: [String]) throws -> String? {
        try proxies(naming).client(of: HTTPRequest(target: "/", headers: values.map { (field, $0) }, peer: "10.0.0.1"))?
            .description
    }

    @Test(arguments: [
        (["192.0.2.1"], "192.0.2.1"), (["2001:db8::1"], "2001:db8::1"), (["[2001:db8::1]"], "2001:db8::1"),
        (["192.0.2.1:4711"], "192.0.2.1"), (["[2001:db8::1]:4711"], "2001:db8::1"), (["::ffff:192.0.2.1"], "192.0.2.1"),
        (["  192.0.2.1\t"], "192.0.2.1"), (["192.0.2.1, 10.0.0.2"], "192.0.2.1"),
        (["192.0.2.1", "10.0.0.2"], "192.0.2.1"),
        (["192.0.2.1,10.0.0.2,fd00::2"], "192.0.2.1"), (["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        (["203.0.113.9, 192.0.2.1"], "192.0.2.1"), (["203.0.113.9", "192.0.2.1"], "192.0.2.1"),
        (["203.0.113.9, 192.0.2.1, 10.0.0.2"], "192.0.2.1"),
        (["203.0.113.9, 10.9.9.9, 192.0.2.1, 10.0.0.2"], "192.0.2.1"),
        (["\"203.0.113.9, 192.0.2.1"], "192.0.2.1"), (["203.0.113.9,\", 192.0.2.1"], "192.0.2.1"),
        ([], nil), ([""], nil), ([","], nil), (["unknown"], nil), (["203.0.113.9, unknown"], nil),
        (["203.0.113.9,"], nil),
        (["203.0.113.9, 10.0.0.2,"], nil), (["203.0.113.9, unknown, 10.0.0.2"], "10.0.0.2"),
        (["203.0.113.9 10.0.0.2"], nil), (["203.0.113.9;10.0.0.2"], nil), (["for=203.0.113.9"], nil),
        (["\"203.0.113.9\""], nil), (["203.0.113.9:"], nil), (["203.0.113.9:123456"], nil),
        (["203.0.113.9:80:80"], nil),
        (["[203.0.113.9]"], nil), (["[2001:db8::9"], nil), (["2001:db8::9]"], nil), (["[2001:db8::9]x"], nil),
        (["[2001:db8::9]:"], nil), (["fe80::9%eth0"], nil), (["0203.0.113.9"], nil), (["203.0.113.9/32"], nil),
        (["203.0.113.9\u{0}"], nil), (["2１3.0.113.9"], nil),
    ])
    func `X-Forwarded-For names the last address that no proxy has`(values: [String], client: String?) throws {
        #expect(try Self.client(.xForwardedFor, "X-Forwarded-For", values) == client)
    }

    @Test(arguments: [
        (["for=192.0.2.1"], "192.0.2.1"), (["For=192.0.2.1;proto=https"], "192.0.2.1"),
        (["proto=https; FOR=192.0.2.1 ;by=10.0.0.1"], "192.0.2.1"), (["for=\"192.0.2.1:80\""], "192.0.2.1"),
        (["for=\"[2001:db8::1]\""], "2001:db8::1"), (["for=\"[2001:db8::1]:4711\""], "2001:db8::1"),
        (["for=\"[2001:db8::1]:_port\""], "2001:db8::1"), (["for=192.0.2.1, for=10.0.0.2"], "192.0.2.1"),
        (["for=192.0.2.1", "for=10.0.0.2"], "192.0.2.1"), (["for=203.0.113.9, for=192.0.2.1"], "192.0.2.1"),
        (["for=203.0.113.9", "for=192.0.2.1;host=\"a,b\""], "192.0.2.1"),
        (["for=\"203.0.113.9, for=192.0.2.1"], "192.0.2.1"), (["for=203.0.113.9\", for=192.0.2.1"], "192.0.2.1"),
        (["for=203.0.113.9;x=\"\\\", for=192.0.2.1"], "192.0.2.1"),
        // A proxy that quotes the client's Host: x",for=203.0.113.9;a="y
        (["for=192.0.2.1;host=\"x\\\",for=203.0.113.9;a=\\\"y\""], "192.0.2.1"),
        (["host=\"x\\\";for=203.0.113.9;a=\\\"y\";for=192.0.2.1"], "192.0.2.1"),
        (["for=203.0.113.9, host=\"\\\\\";for=192.0.2.1"], "192.0.2.1"),
        ([], nil), ([""], nil), (["for"], nil), (["for="], nil), (["for=\""], nil), (["for=\"\""], nil),
        (["for=unknown"], nil), (["for=_hidden"], nil), (["for=203.0.113.9, for=_hidden"], nil),
        (["203.0.113.9"], nil), (["by=203.0.113.9"], nil), (["xfor=203.0.113.9"], nil), (["for =203.0.113.9"], nil),
        (["for= 203.0.113.9"], nil), (["for=203.0.113.9;for=192.0.2.1"], nil), (["for=203.0.113.9:80"], nil),
        (["for=2001:db8::9"], nil), (["for=[2001:db8::9]"], nil), (["for=\"2001:db8::9\""], nil),
        (["for='203.0.113.9'"], nil), (["for=\"203.0.113.9"], nil), (["for=203.0.113.9\""], nil),
        (["for=203.0.113.9 for=10.0.0.2"], nil), (["for=10.0.0.2,,"], nil),
        (["for=203.0.113.9, , for=10.0.0.2"], "10.0.0.2"),
    ])
    func `Forwarded names the last address that no proxy has`(values: [String], client: String?) throws {
        #expect(try Self.client(.forwarded, "Forwarded", values) == client)
    }

    @Test func `each way reads its own field alone`() throws {
        let (list, forwarded) = (["203.0.113.9"], ["for=203.0.113.9"])
        #expect(try Self.client(.xForwardedFor, "Forwarded", forwarded) == nil)
        #expect(try Self.client(.xForwardedFor, "X-Real-IP", list) == nil)
        #expect(try Self.client(.forwarded, "X-Forwarded-For", list) == nil)
        #expect(try Self.client(.proxyProtocol, "X-Forwarded-For", list) == nil)
        #expect(try Self.client(.proxyProtocol, "Forwarded", forwarded) == nil)
    }

    @Test func `a chain is followed for so many hops and bytes, and no further`() throws {
        let chain = Array(repeating: "10.0.0.2", count: 31).joined(separator: ", ")
        #expect(try Self.client(.xForwardedFor, "X-Forwarded-For", ["192.0.2.1, \(chain)"]) == "192.0.2.1")
        #expect(try Self.client(.xForwardedFor, "X-Forwarded-For", ["192.0.2.1, 10.0.0.3, \(chain)"]) == "10.0.0.3")
        let long = String(repeating: " ", count: 4085)
        #expect(try Self.client(.xForwardedFor, "X-Forwarded-For", ["192.0.2.1,\(long)10.0.0.2"]) == "10.0.0.2")
    }
}
