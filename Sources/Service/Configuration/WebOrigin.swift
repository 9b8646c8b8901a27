internal import Configuration

/// Origins as browsers send them (RFC 6454): scheme, host, and the port where it is not the scheme's own.
enum WebOrigin {
    /// The origin that a text was meant to be, in the only spelling that browsers have; nil when it is none.
    static func spelled(_ text: String) -> String? {
        let text = text.lowercased()
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let mark = text.firstRange(of: "://") else {
            return nil
        }
        let scheme = text[..<mark.lowerBound]
        guard isScheme(scheme) else { return nil }
        let authority = text[mark.upperBound...].prefix { !"/?#".contains($0) }
        guard let address = NetworkAddress(String(authority)) else {
            return NetworkAddress("\(authority):0") == nil ? nil : "\(scheme)://\(authority)"
        }
        let isUsual = usualPorts[String(scheme)] == address.port
        return "\(scheme)://\(isUsual ? "\(address)".dropLast(":\(address.port)".count) : "\(address)"[...])"
    }

    private static let usualPorts = ["http": 80, "https": 443]

    private static func isScheme(_ text: Substring) -> Bool {
        text.first?.isLetter == true && text.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    }
}
