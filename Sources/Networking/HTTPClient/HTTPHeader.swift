internal import Text

/// One header of a request or a response, its name as written.
///
/// A sensitive header contains a secret: its value is never printed, and it is sent to its intended origins only.
public struct HTTPHeader:
    Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// Compared without regard to case.
    package let name: String
    /// The value without blanks around it.
    package let value: String
    let isSensitive: Bool

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
        isSensitive = false
    }

    package init(_ name: String, sensitive value: String) {
        self.name = name
        self.value = value
        isSensitive = true
    }

    /// Whether the name is a token and the value free of control characters, so that a value from a file cannot add
    /// headers.
    package var isSendable: Bool {
        Self.isSendable(name: name) && Self.isSendable(value: value)
    }

    package static func isSendable(name: String) -> Bool {
        name.utf8.isToken
    }

    package static func isSendable(value: String) -> Bool {
        value.utf8.isFieldValue
    }

    /// The header as a line, without a secret.
    public var description: String { "\(name): \(shownValue)" }

    /// Equals `description`.
    public var debugDescription: String { description }

    /// Name and value, without a secret.
    public var customMirror: Mirror { Mirror(self, children: ["name": name, "value": shownValue]) }

    private var shownValue: String { isSensitive ? "<redacted>" : value }
}

/// The headers of a response, in their order.
package struct HTTPHeaders: Sendable, Hashable {
    /// Every header, including several of one name.
    package let all: [HTTPHeader]

    package init(_ all: [HTTPHeader]) {
        self.all = all
    }

    /// Parses "Name: value" lines. A line that begins with a blank continues the value before it (obsolete folding); a
    /// line without a colon is ignored.
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

    /// The value of a header; the case of the name does not matter. Several values are joined with ", ".
    package subscript(name: String) -> String? {
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

extension [HTTPHeader] {
    /// Adds headers, replacing those of the same names.
    mutating func replace(with headers: [HTTPHeader]) {
        let names = Set(headers.map { $0.name.lowercased() })
        removeAll { names.contains($0.name.lowercased()) }
        append(contentsOf: headers)
    }
}
