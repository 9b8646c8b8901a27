internal import CEventShim

/// The proxies in front of the server, and the field by which they name their clients.
///
/// The names are read from the last proxy back: an address counts only if the hop behind it is trusted. So a client can
/// add names of its own, but none of them is taken.
package struct TrustedProxies: Sendable, Hashable {
    /// The place of the client's address. The raw value is that of the config.
    package enum Naming: String, Sendable, CaseIterable {
        /// `Forwarded` (RFC 7239)
        case forwarded
        /// `X-Forwarded-For`
        case xForwardedFor = "x_forwarded_for"
        /// A header of the PROXY protocol, 1 or 2, before the first request, and before TLS
        case proxyProtocol = "proxy_protocol"
    }

    package let naming: Naming
    /// The networks whose word counts.
    package let networks: [AddressNetwork]

    /// The most hops that are followed.
    private static let longestChain = 32
    /// The most bytes of a field that are read, from its end.
    private static let longestField = 4096

    package init(naming: Naming, networks: [AddressNetwork]) {
        (self.naming, self.networks) = (naming, networks)
    }

    private func trust(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// Whether a peer is trusted.
    func trust(peer: String) -> Bool { IPAddress(peer).map(trust) ?? false }

    /// Gives a request that a trusted peer has sent the address of its client.
    func identify(_ request: HTTPRequest) {
        if let client = client(of: request) { request.storage.setClient(client) }
    }

    /// The client of a request that a trusted peer has sent: the last address that is not trusted, or the first of all.
    /// nil if none is named, or where the last name is no address, such as `unknown`.
    func client(of request: HTTPRequest) -> IPAddress? {
        switch naming {
        case .proxyProtocol: nil
        case .xForwardedFor:
            request.lastForwardedAddress.flatMap { trust($0) ? nil : $0 }
                ?? request.header("X-Forwarded-For").flatMap { first(in: $0, Self.address) }
        case .forwarded: request.header("Forwarded").flatMap { first(in: $0, Self.forwardedFor) }
        }
    }

    private func first(in field: String, _ read: (ArraySlice<UInt8>) -> IPAddress?) -> IPAddress? {
        var rest = [UInt8](field.utf8).suffix(Self.longestField)
        var client: IPAddress?
        for _ in 0..<Self.longestChain {
            let comma = Self.lastComma(rest)
            let element = rest[(comma.map { $0 + 1 } ?? rest.startIndex)...]
            guard let address = read(Self.trimmed(element)) else { return client }
            client = address
            guard trust(address), let comma else { return client }
            rest = rest[..<comma]
        }
        return client
    }

    /// Skips quoted texts. Proxies append their entries, so an unpaired quote from a client precedes them, and the
    /// search from the end does not reach it.
    private static func lastComma(_ bytes: ArraySlice<UInt8>) -> Int? {
        var isQuoted = false
        return bytes.indices.last { index in
            if isQuote(bytes, index) { isQuoted.toggle() }
            return bytes[index] == UInt8(ascii: ",") && !isQuoted
        }
    }

    /// Whether a quotation mark begins or ends a quoted text: one behind an odd number of backslashes is a part of it.
    private static func isQuote(_ bytes: ArraySlice<UInt8>, _ index: Int) -> Bool {
        guard bytes[index] == UInt8(ascii: "\"") else { return false }
        return bytes[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2)
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let last = text.lastIndex(where: { !isBlank($0) }) else { return text.suffix(0) }
        return text[...last].drop(while: isBlank)
    }

    /// An address, alone or with a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`.
    private static func address(_ text: ArraySlice<UInt8>) -> IPAddress? {
        if text.first == UInt8(ascii: "[") {
            guard let close = text.firstIndex(of: UInt8(ascii: "]")), isPort(text[(close + 1)...]) else { return nil }
            let inner = text[..<close].dropFirst()
            return inner.contains(UInt8(ascii: ":")) ? IPAddress(inner) : nil
        }
        if let address = IPAddress(text) { return address }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), isPort(text[colon...]) else { return nil }
        return IPAddress(text[..<colon])
    }

    /// Nothing, or a colon and a port. RFC 7239 also allows a hidden port, such as `_a1`.
    private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
        guard let colon = text.first else { return true }
        let port = text.dropFirst()
        let isDigit: (UInt8) -> Bool = { $0 &- 48 < 10 }
        guard colon == UInt8(ascii: ":"), let first = port.first else { return false }
        if first == UInt8(ascii: "_") {
            return port.count > 1 && port.allSatisfy { isDigit($0) || $0 | 0x20 &- 97 < 26 || "._-".utf8.contains($0) }
        }
        return port.count <= 5 && port.allSatisfy(isDigit)
    }

    /// The `for` of an element: `for=192.0.2.1;proto=https` or `For="[2001:db8::1]:4711"`; nil with none or several.
    private static func forwardedFor(_ element: ArraySlice<UInt8>) -> IPAddress? {
        var (isQuoted, pairs, start) = (false, [ArraySlice<UInt8>](), element.startIndex)
        for index in element.indices {
            if isQuote(element, index) { isQuoted.toggle() }
            guard element[index] == UInt8(ascii: ";"), !isQuoted else { continue }
            pairs.append(element[start..<index])
            start = index + 1
        }
        pairs.append(element[start...])
        let values = pairs.map(trimmed).filter { HTTPSyntax.isSameName($0.prefix(4), "for=".utf8) }
        return values.count == 1 ? node(values[0].dropFirst(4)) : nil
    }

    /// A colon makes quotes necessary, and an IPv6 address in them has brackets.
    private static func node(_ value: ArraySlice<UInt8>) -> IPAddress? {
        let quote = UInt8(ascii: "\"")
        guard value.first == quote else { return value.contains(UInt8(ascii: ":")) ? nil : address(value) }
        guard value.count > 2, value.last == quote else { return nil }
        let text = value.dropFirst().dropLast()
        let isBare = text.first != UInt8(ascii: "[") && text.count(where: { $0 == UInt8(ascii: ":") }) > 1
        return isBare ? nil : address(text)
    }
}

extension HTTPRequest {
    private static let forwardedFor = FieldName("x-forwarded-for")

    /// The last address of the only `X-Forwarded-For`, if it is an IPv4 address alone: the usual one, read without a copy.
    fileprivate var lastForwardedAddress: IPAddress? {
        var (address, count) = (IPAddress?.none, 0)
        unsafe storage.forEachField { name, value in
            guard unsafe Self.forwardedFor.matches(name) else { return }
            count += 1
            var (start, end) = (value.count, value.count)
            while start > 0, unsafe value[start - 1] != UInt8(ascii: ",") { start -= 1 }
            while start < end, unsafe value[start] == UInt8(ascii: " ") { start += 1 }
            while end > start, unsafe value[end - 1] == UInt8(ascii: " ") { end -= 1 }
            address = unsafe IPAddress(ipv4: value[start..<end])
        }
        return count == 1 ? address : nil
    }
}
