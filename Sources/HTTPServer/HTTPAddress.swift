/// Where to listen: a name or a literal, and a port.
public struct HTTPAddress: Sendable, Hashable, CustomStringConvertible {
    /// An IPv4 or IPv6 literal (without brackets), or a name, of which the first usable address is taken.
    public var host: String
    /// 0 lets the system choose.
    public var port: UInt16

    /// An address.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// As in a URL, so IPv6 literals in brackets.
    public var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
