import FoundationEssentials

/// What a stand-in was asked.
struct StandInRequest: Sendable {
    let method: String
    let path: String
    /// Decoded, by name.
    let parameters: [String: String]
    /// By lower-case name.
    private let headers: [String: String]

    /// Reads the head of a request, as if these parameters were not there.
    init(head: String, ignoring ignored: Set<String> = []) {
        let lines = head.split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        method = String(words.first ?? "")
        let target = words.dropFirst().first ?? ""
        path = String(target.prefix { $0 != "?" })
        parameters = Self.parameters(target.dropFirst(path.count + 1)).filter { !ignored.contains($0.key) }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let name = line.prefix { $0 != ":" }
            headers[name.lowercased()] = String(line.dropFirst(name.count + 1).drop { $0 == " " })
        }
        self.headers = headers
    }

    /// Where the client takes this server to be.
    var origin: String { "http://\(self[header: "host"] ?? "")" }

    subscript(header name: String) -> String? { headers[name.lowercased()] }

    /// A parameter that is a number; the default where it is absent, nil where it is no number.
    func number(_ name: String, default value: Int) -> Int? {
        guard let text = parameters[name] else { return value }
        return Int(text)
    }

    /// The names in a parameter with commas between them; nil where it is absent.
    func names(_ name: String) -> Set<String>? {
        parameters[name].map { Set($0.split(separator: ",").map(String.init)) }
    }

    private static func parameters(_ query: Substring) -> [String: String] {
        var parameters: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let name = pair.prefix { $0 != "=" }
            parameters[decoded(name)] = decoded(pair.dropFirst(name.count + 1))
        }
        return parameters
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
