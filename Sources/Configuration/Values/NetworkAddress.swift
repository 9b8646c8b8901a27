/// A host and a port.
public struct NetworkAddress: Sendable, Hashable {
    /// A name, an IPv4 address, or an IPv6 address without its brackets.
    public let host: String
    /// 0 to 65535; 0 asks for any free port where one is listened on.
    public let port: Int

    /// Creates an address from parts that are known to be good.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port` or `[v6]:port`; nil when `text` is neither.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits),
            let host = Self.host(text[..<colon])
        else { return nil }
        self.init(host: host, port: Int(port))
    }

    /// The host of an address, without brackets; nil when it is none.
    static func host(_ text: Substring) -> String? {
        if text.hasPrefix("["), text.hasSuffix("]") {
            let inner = text.dropFirst().dropLast()
            let isLiteral = inner.contains(":") && inner.allSatisfy { $0.isHexDigit || ":.%".contains($0) }
            return isLiteral ? String(inner) : nil
        }
        let isName = text.allSatisfy { $0.isLetter || $0.isNumber || "-._".contains($0) }
        return isName && !text.isEmpty ? String(text) : nil
    }
}

extension NetworkAddress: CustomStringConvertible {
    /// `host:port`, with brackets around an IPv6 address.
    public var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
