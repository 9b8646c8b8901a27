internal import Configuration
internal import Text

/// The URL of a shop in the parts that other components take, each as it is written.
struct ShopURL {
    /// Scheme, host and port; with the path, if one variable has both.
    let base: ConfigNode
    /// The path; nil without one, and empty if the base has it.
    let path: ConfigNode?
    /// The parameters of the query.
    let parameters: [ConfigNode.Entry]
    /// Scheme, host and port.
    let origin: ConfigNode
    /// The host and the port, by default that of the scheme.
    let address: ConfigNode
    /// Whether the address depends on variables that it does not name.
    let hasFixedAddress: Bool
    let position: SourcePosition

    /// Reads `url`, and reports a URL that cannot be requested.
    static func read(_ reader: FieldReader) -> ShopURL {
        let (position, text) = (reader.position(of: "url"), reader.sendableURL("url"))
        let ends = Ends(of: text)
        guard reader.isSound, let node = reader.node("url"), text.utf8.allSatisfy({ $0 < 0x80 }),
            !ends.text(ends.authority).contains("@")
        else { return ShopURL(brokenAt: position) }
        do throws(Fault) {
            return try ShopURL(node, ends)
        } catch {
            reader.report(.error, at: "url", "\"url\" \(error.rawValue)")
            return ShopURL(brokenAt: position)
        }
    }

    private enum Fault: String, Error {
        case fragment = "has a fragment, which is never sent"
        case query = "has its query in a variable, at least in part; write that under \"parameters\""
        case encoding = "has a query that is not properly percent-encoded"
    }

    private init(brokenAt position: SourcePosition) {
        self.position = position
        (base, path, parameters) = (.broken(at: position), nil, [])
        (origin, address, hasFixedAddress) = (.broken(at: position), .broken(at: position), false)
    }

    private init(_ node: ConfigNode, _ ends: Ends) throws(Fault) {
        position = node.position
        if ends.hasFragment { throw .fragment }
        if let base = node.part(0..<ends.authority.upperBound), let path = node.part(ends.path) {
            (self.base, self.path) = (base, path.text?.isEmpty == false || path.isInterpolated ? path : nil)
            origin = base
        } else if let whole = node.part(0..<ends.path.upperBound) {
            (base, path) = (whole, ConfigNode(word: "", isPlain: false, at: position))
            origin = ConfigNode(word: ends.text(0..<ends.authority.upperBound), isPlain: false, at: position)
        } else {
            throw .query
        }
        parameters = try Self.parameters(node, ends)
        let place = ends.text(ends.authority)
        let hasPort = NetworkAddress(place) != nil
        let port = hasPort ? "" : ends.isTLS ? ":443" : ":80"
        let host = node.part(ends.authority)
        address = (host ?? ConfigNode(word: place, isPlain: false, at: position)).followed(by: port)
        hasFixedAddress = host == nil || !hasPort && node.part(0..<ends.authority.lowerBound)?.isInterpolated != false
    }

    private static func parameters(_ node: ConfigNode, _ ends: Ends) throws(Fault) -> [ConfigNode.Entry] {
        var entries: [ConfigNode.Entry] = []
        for (name, value) in ends.parameters {
            guard let name = node.part(name), !name.isInterpolated, let value = node.part(value) else { throw .query }
            let decode = { (text: String) in PercentEncoding.decode(text[...].utf8, plusIsSpace: true) }
            guard let name = name.changingPlainText(decode)?.text, let value = value.changingPlainText(decode) else {
                throw .encoding
            }
            entries.append(ConfigNode.Entry(name, value))
        }
        return entries
    }

    /// The places in a URL, as offsets in its UTF-8.
    private struct Ends {
        private let bytes: [UInt8]
        let authority: Range<Int>
        let path: Range<Int>
        let hasFragment: Bool

        init(of url: String) {
            bytes = Array(url.utf8)
            let start =
                url.firstRange(of: "://").map { url.utf8.distance(from: url.startIndex, to: $0.upperBound) } ?? 0
            let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
            authority = start..<end
            path = end..<(bytes[end...].firstIndex { "?#".utf8.contains($0) } ?? bytes.count)
            hasFragment = bytes.contains(UInt8(ascii: "#"))
        }

        var isTLS: Bool { text(0..<min(6, bytes.count)).lowercased() == "https:" }

        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

        /// The names and values of the query.
        var parameters: [(name: Range<Int>, value: Range<Int>)] {
            bytes[path.upperBound...].dropFirst().split(separator: UInt8(ascii: "&")).map { part in
                let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
                return (part.startIndex..<end, min(end + 1, part.endIndex)..<part.endIndex)
            }
        }
    }
}
