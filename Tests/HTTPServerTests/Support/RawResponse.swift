/// A response as it was on the wire.
struct RawResponse: Sendable {
    var statusLine: String
    var fields: [(name: String, value: String)]
    var body: [UInt8]

    var status: Int { statusLine.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }
    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    init(head: String, body: [UInt8] = []) {
        var lines = head.split(separator: "\r\n").map(String.init)
        statusLine = lines.isEmpty ? "" : lines.removeFirst()
        fields = lines.map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
        }
        self.body = body
    }
}
