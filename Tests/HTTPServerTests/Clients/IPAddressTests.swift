import CEventShim
import Glibc
import Testing

@testable import HTTPServer

@Suite struct IPAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
        ("2001:DB8:0:0::1", "2001:db8::1"), ("::", "::"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::1", "::1"),
    ])
    func `has one form`(text: String, form: String) {
        #expect(IPAddress(text)?.description == form)
    }

    @Test(arguments: [
        "", ".", "1", "1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1..2.3", "256.1.1.1", "01.2.3.4", "1.2.3.04",
        "1.2.3.4 ",
        " 1.2.3.4", "1.2.3.-4", "0x7f.0.0.1", "1.2.3.4/8", ":", ":::", "1::2::3", "fe80::1%eth0", "[::1]", "g::1",
        "::ffff:256.0.0.1", "1:2:3:4:5:6:7:8:9", "unknown", "127.0.0.1\0", "::1\0", "１.2.3.4",
    ])
    func `is nothing else`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: ["192.0.2.1", "10.1.2.3", "2001:db8:1:2:3:4:5:6", "::1", "::ffff:192.0.2.1"])
    func `is counted as the server counts its peers`(text: String) throws {
        let address = try #require(IPAddress(text))
        var name = sockaddr_storage()
        let network = unsafe withUnsafeMutablePointer(to: &name) { name in
            unsafe name.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { name in
                unsafe name.pointee.sin6_family = sa_family_t(AF_INET6)
                _ = unsafe inet_pton(AF_INET6, text.contains(":") ? text : "::ffff:\(text)", &name.pointee.sin6_addr)
            }
            return unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe larder_network_of($0) }
        }
        #expect(address.network == network)
    }

    @Test(arguments: [
        ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"], ["11.0.0.0", "9.255.255.255", "::a00:1"]),
        ("192.0.2.1", ["192.0.2.1"], ["192.0.2.2"]), ("0.0.0.0/0", ["1.2.3.4"], ["::1", "2001:db8::1"]),
        ("fd00::/8", ["fd00::1", "fdff::"], ["fe00::", "253.0.0.0"]), ("::/0", ["::1", "1.2.3.4"], []),
        ("::1", ["::1"], ["::2"]), ("10.1.2.4/30", ["10.1.2.7"], ["10.1.2.8", "10.1.2.3"]),
    ])
    func `a network contains the addresses of its prefix`(text: String, inside: [String], outside: [String]) throws {
        let network = try #require(AddressNetwork(text))
        for address in inside { #expect(network.contains(try #require(IPAddress(address))), "\(address)") }
        for address in outside { #expect(!network.contains(try #require(IPAddress(address))), "\(address)") }
    }

    @Test(arguments: [
        "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "/8", "::1/129", "10/8", "",
    ])
    func `a network has no bits behind its prefix, and nothing else behind it`(text: String) {
        #expect(AddressNetwork(text) == nil)
    }

    @Test func `the network around an address is found`() {
        #expect(AddressNetwork(enclosing: "10.1.2.3/8")?.description == "10.0.0.0/8")
        #expect(AddressNetwork(enclosing: "fd00::1/8")?.description == "fd00::/8")
        #expect(AddressNetwork(enclosing: "::/0")?.description == "::/0")
    }
}
