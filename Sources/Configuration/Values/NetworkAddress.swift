internal import Glibc
internal import Text

/// A host and a port.
public struct NetworkAddress: Sendable, Hashable {
    /// A name, an IPv4 address, or an IPv6 address without its brackets.
    public let host: String
    /// 0 to 65535; 0 listens on any free port.
    public let port: Int

    /// Creates an address from valid parts.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Parses `host:port` or `[v6]:port`; nil for anything else.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits),
            let host = Self.host(text[..<colon])
        else { return nil }
        self.init(host: host, port: Int(port))
    }

    /// The fault of a text that is not an address, and the probable intention.
    static func fault(_ text: String) -> TextFault? {
        if let scheme = text.firstRange(of: "://") { return schemeFault(text, after: scheme) }
        if text.isEmpty { return TextFault("it is empty") }
        if text.hasPrefix("unix:") { return TextFault("it is a unix socket, which a monitor of type http can ask") }
        if text.contains("@") { return TextFault("it has a user before the host") }
        if let slash = text.firstIndex(of: "/") {
            return TextFault("it has a path", meant: NetworkAddress(String(text[..<slash]))?.description)
        }
        guard let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") else { return portlessFault(text) }
        let (host, port) = (text[..<colon], text[text.index(after: colon)...])
        if host.isEmpty { return TextFault("it has no host") }
        if host.contains(":"), !host.hasPrefix("["), Self.host("[\(host)]") != nil {
            let isWhole = UInt16(port) != nil
            return TextFault("an IPv6 address needs brackets", meant: isWhole ? "[\(host)]:\(port)" : nil)
        }
        if Self.host("[\(text)]") != nil { return TextFault("an IPv6 address needs brackets") }
        if port.isEmpty { return TextFault("it has no port") }
        if UInt16(port) == nil { return TextFault("its port is no number from 0 to 65535") }
        return Self.host(host) == nil ? TextFault("its host is neither a name nor an address") : nil
    }

    /// The fault of a text that is not an address, in words for a command line.
    package static func complaint(about text: String) -> String {
        let fault = fault(text)
        let hint = fault?.meant.map { "did you mean \"\($0)\"?" } ?? "write it like 127.0.0.1:8081"
        return "\(fault?.problem ?? "it is no address"); \(hint)"
    }

    private static func schemeFault(_ text: String, after scheme: Range<String.Index>) -> TextFault {
        let standard = ["http": "80", "https": "443"][text[..<scheme.lowerBound].lowercased()]
        let authority = String(text[scheme.upperBound...].prefix { !"/?#".contains($0) })
        let meant = NetworkAddress(authority) ?? standard.flatMap { NetworkAddress("\(authority):\($0)") }
        return TextFault("it begins with a scheme", meant: meant?.description)
    }

    private static func portlessFault(_ text: String) -> TextFault {
        if text.allSatisfy({ $0.isASCII && $0.isNumber }) { return TextFault("it has no host") }
        return TextFault("it has no port")
    }

    /// The host of an address, without brackets; nil if invalid.
    static func host(_ text: Substring) -> String? {
        if text.hasPrefix("["), text.hasSuffix("]") {
            let inner = text.dropFirst().dropLast()
            let isLiteral = inner.allSatisfy { $0.isHexDigit || ":.%".contains($0) } && !inner.hasSuffix("%")
            return isLiteral && isIPv6(inner.prefix { $0 != "%" }) ? String(inner) : nil
        }
        let isNumeric = text.allSatisfy { $0.isNumber || $0 == "." }
        return (isNumeric ? isIPv4(text) : isName(text)) ? String(text) : nil
    }

    /// Whether a text consists of labels between dots; a dot may end it.
    private static func isName(_ text: Substring) -> Bool {
        let labels = (text.hasSuffix(".") ? text.dropLast() : text).split(
            separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
        }
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        var address = in_addr()
        return unsafe inet_pton(AF_INET, String(text), &address) == 1
    }

    private static func isIPv6(_ text: Substring) -> Bool {
        var address = in6_addr()
        return unsafe inet_pton(AF_INET6, String(text), &address) == 1
    }
}

extension NetworkAddress {
    /// Whether only this machine can reach the address.
    package var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.") && Self.isIPv4(host[...])
    }
}

extension NetworkAddress: CustomStringConvertible {
    /// `host:port`, with brackets around an IPv6 address.
    public var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

/// Checks the URLs that a config may hold: absolute, with one of some schemes, and with a host.
struct URLText: Sendable {
    let schemes: [String]

    func parse(_ text: String) -> String? {
        let isClean = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
        guard isClean, let rest = afterScheme(text) else { return nil }
        let place = Self.place(in: rest.prefix { !"/?#".contains($0) })
        let isGood = NetworkAddress.host(place) != nil || NetworkAddress(String(place)) != nil
        return isGood ? text : nil
    }

    /// The fault of a text that is not such a URL, and the probable intention.
    func fault(_ text: String) -> TextFault? {
        if text.isEmpty { return TextFault("it is empty") }
        if text.hasPrefix("unix:") { return TextFault("it is a unix socket, which a monitor of type http can ask") }
        if text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) {
            return TextFault("it holds a blank or a control character")
        }
        guard let separator = text.firstRange(of: "://") else {
            return TextFault("it has no scheme", meant: meant("\(schemes[0])://\(text)"))
        }
        let (scheme, rest) = (String(text[..<separator.lowerBound]), text[separator.upperBound...])
        guard schemes.contains(scheme.lowercased()) else {
            let closest = ClosestName.to(scheme, among: schemes)
            let reason = schemes.count == 1 ? "not" : "neither"
            return TextFault(
                "its scheme is \(reason) \(schemes.joined(separator: " nor "))",
                meant: closest.flatMap { meant("\($0)://\(rest)") })
        }
        if parse(String(rest)) != nil { return TextFault("it has two schemes", meant: meant(String(rest))) }
        let authority = rest.prefix { !"/?#".contains($0) }
        let place = Self.place(in: authority)
        let isPortOnly = place.hasPrefix(":") && !place.hasPrefix("::")
        if place.isEmpty || isPortOnly { return TextFault("it has no host") }
        guard place.contains(":"), !place.hasSuffix("]") else {
            return TextFault("its host is neither a name nor an address")
        }
        return NetworkAddress.fault(String(place)).map { fault in
            TextFault(
                fault.problem, meant: fault.meant.flatMap { meant("\(scheme)://\($0)\(rest[authority.endIndex...])") })
        }
    }

    /// A suggestion, if it is a URL without password, query and fragment.
    private func meant(_ text: String) -> String? {
        text.contains(where: { "@?#".contains($0) }) ? nil : parse(text)
    }

    private func afterScheme(_ text: String) -> Substring? {
        for scheme in schemes where text.lowercased().hasPrefix("\(scheme)://") {
            return text.dropFirst(scheme.count + 3)
        }
        return nil
    }

    /// Host and port, without user and password.
    private static func place(in authority: Substring) -> Substring {
        authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    }
}
