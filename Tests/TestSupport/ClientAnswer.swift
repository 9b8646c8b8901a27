/// An answer as it came over the wire.
public struct ClientAnswer: Sendable, Hashable {
    /// The status code.
    public let status: Int
    /// The header lines, by lower-case name.
    public let headers: [String: String]
    /// What the answer is about.
    public let body: [UInt8]

    /// An answer that came over no wire.
    public init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first answer in what was received, and how many bytes it takes; nil while it is not whole.
    static func first(in bytes: [UInt8], hasBody: Bool = true) -> (answer: ClientAnswer, length: Int)? {
        guard let end = headEnd(in: bytes) else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let name = line.prefix { $0 != ":" }
            headers[name.lowercased()] = String(line.dropFirst(name.count + 1).drop { $0 == " " })
        }
        let announced = headers["content-length"].flatMap { Int($0) } ?? 0
        let length = end + 4 + (hasBody ? announced : 0)
        guard bytes.count >= length, words.count > 1, let status = Int(words[1]) else { return nil }
        return (ClientAnswer(status: status, headers: headers, body: Array(bytes[(end + 4)..<length])), length)
    }

    private static func headEnd(in bytes: [UInt8]) -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard bytes.count >= mark.count else { return nil }
        return (0...(bytes.count - mark.count)).first { bytes[$0..<($0 + mark.count)].elementsEqual(mark) }
    }
}
