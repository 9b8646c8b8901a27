internal import Glibc

/// An IPv4 or IPv6 address. An IPv4 address equals the IPv6 address that it is mapped to.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// The halves of the IPv6 address, the first byte highest. A number of 16 bytes would have requests, which hold an
    /// address, allocated with an alignment of their own.
    private let high, low: UInt64

    /// The IPv6 address, the first byte highest.
    var bits: UInt128 { UInt128(high) << 64 | UInt128(low) }

    private static let mapped: UInt128 = 0xffff << 32

    /// Parses an address without a port, a zone or brackets.
    package init?(_ text: String) {
        self.init([UInt8](text.utf8)[...])
    }

    init(bits: UInt128) {
        (high, low) = (UInt64(bits >> 64), UInt64(truncatingIfNeeded: bits))
    }

    /// Parses an IPv4 address.
    init?(ipv4 text: some Collection<UInt8>) {
        guard let bits = Self.ipv4(text) else { return nil }
        self.init(bits: Self.mapped | UInt128(bits))
    }

    init?(_ text: ArraySlice<UInt8>) {
        if let bits = Self.ipv4(text) {
            self.init(bits: Self.mapped | UInt128(bits))
        } else if let bits = Self.ipv6(text) {
            self.init(bits: bits)
        } else {
            return nil
        }
    }

    /// Four numbers without leading zeros, since some programs read those as octal.
    private static func ipv4(_ text: some Collection<UInt8>) -> UInt32? {
        guard text.count <= 15 else { return nil }
        var (bits, part, digits, dots): (UInt32, UInt32, Int, Int) = (0, 0, 0, 0)
        for byte in text {
            if byte == UInt8(ascii: "."), digits > 0, dots < 3 {
                (bits, part, digits, dots) = (bits << 8 | part, 0, 0, dots + 1)
            } else {
                let digit = UInt32(byte &- UInt8(ascii: "0"))
                guard digit < 10, digits == 0 || part > 0 else { return nil }
                (part, digits) = (part * 10 + digit, digits + 1)
                guard part < 256 else { return nil }
            }
        }
        return dots == 3 && digits > 0 ? bits << 8 | part : nil
    }

    private static func ipv6(_ text: ArraySlice<UInt8>) -> UInt128? {
        guard (2...45).contains(text.count), !text.contains(0) else { return nil }
        var address = in6_addr()
        guard unsafe inet_pton(AF_INET6, String(decoding: text, as: UTF8.self), &address) == 1 else { return nil }
        return unsafe withUnsafeBytes(of: address) { unsafe $0.reduce(0) { $0 << 8 | UInt128($1) } }
    }

    var isIPv4: Bool { bits >> 32 == 0xffff }

    /// The number by which the server counts a client, as `larder_network_of` makes it.
    var network: UInt64 {
        isIPv4 ? 0xffff_ffff << 32 | UInt64(UInt32(truncatingIfNeeded: bits).bigEndian) : UInt64(bits >> 64).bigEndian
    }

    package var description: String {
        if isIPv4 {
            return (0..<4).map { "\(UInt8(truncatingIfNeeded: bits >> UInt128(24 - 8 * $0)))" }.joined(separator: ".")
        }
        var address = bits.bigEndian
        var text = [CChar](repeating: 0, count: 46)
        guard unsafe inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else { return "::" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// A network in CIDR notation, such as `10.0.0.0/8`, or one address.
package struct AddressNetwork: Sendable, Hashable, CustomStringConvertible {
    private let address: IPAddress
    private let mask: UInt128

    /// Parses a network; nil for anything else, and for an address with bits behind the prefix.
    package init?(_ text: String) {
        self.init(enclosing: text)
        guard let given = text.split(separator: "/").first.flatMap({ IPAddress(String($0)) }), given == address else {
            return nil
        }
    }

    /// Parses a network, and clears the bits behind the prefix.
    package init?(enclosing text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(String(parts[0])) else { return nil }
        let width = parts[0].contains(":") ? 128 : 32
        var prefix = width
        if parts.count == 2 {
            guard parts[1].utf8.count <= 3, parts[1].utf8.allSatisfy({ $0 &- 48 < 10 }), let size = Int(parts[1]),
                size <= width
            else { return nil }
            prefix = size
        }
        mask = prefix == 0 && width == 128 ? 0 : .max << UInt128(width - prefix)
        self.address = IPAddress(bits: address.bits & mask)
    }

    package func contains(_ other: IPAddress) -> Bool { other.bits & mask == address.bits }

    package var description: String {
        let zeros = mask.trailingZeroBitCount
        return "\(address)/\((address.isIPv4 ? 32 : 128) - min(zeros, 128))"
    }
}
