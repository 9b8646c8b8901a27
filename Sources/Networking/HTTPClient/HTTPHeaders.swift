/// The headers of a response, in the order in which they came.
public struct HTTPHeaders: Sendable, Hashable {
    /// Every header, those of one name apart.
    public let all: [HTTPHeader]

    /// Creates headers in this order.
    public init(_ all: [HTTPHeader]) {
        self.all = all
    }

    /// Reads "Name: value" lines. A line that begins with a blank continues the value before it, as old servers write
    /// long ones; a line without a colon is left out.
    init(lines: some Collection<UInt8>) {
        var read: [HTTPHeader] = []
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            if let first = line.first, Self.isBlank(first), let last = read.popLast() {
                read.append(HTTPHeader(last.name, last.value + " " + Self.text(line)))
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                read.append(HTTPHeader(Self.text(line[..<colon]), Self.text(line[line.index(after: colon)...])))
            }
        }
        all = read
    }

    /// The value of a header, whatever the case of its name; several of one name are joined with ", ".
    public subscript(name: String) -> String? {
        let found = all.filter { $0.name.lowercased() == name.lowercased() }
        return found.isEmpty ? nil : found.map(\.value).joined(separator: ", ")
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String {
        let leading = bytes.drop(while: isBlank)
        let trailing = leading.reversed().prefix(while: isBlank).count
        return String(decoding: leading.dropLast(trailing), as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
}
