internal import Text

/// One header of a request or a response, its name as written.
///
/// A sensitive one tells who asks, such as a token: its value does not print, and it goes to no other origin than those
/// that it was meant for.
public struct HTTPHeader: Sendable, Hashable {
    /// As written; names are compared without case.
    public let name: String
    /// Without blanks around it. For the wire, where it is sensitive.
    public let value: String
    /// Whether the value is a secret.
    public let isSensitive: Bool

    /// Creates a header that anybody may see.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
        isSensitive = false
    }

    /// Creates a header whose value is a secret.
    public init(_ name: String, sensitive value: String) {
        self.name = name
        self.value = value
        isSensitive = true
    }

    /// Whether the header can be sent: a token as its name, and no control characters in its value, so that a value
    /// from a file cannot add headers of its own.
    public var isSendable: Bool {
        Self.isSendable(name: name) && Self.isSendable(value: value)
    }

    /// Whether a header may have this name.
    static func isSendable(name: String) -> Bool {
        name.utf8.isToken
    }

    /// Whether a header may have this value.
    static func isSendable(value: String) -> Bool {
        value.utf8.isFieldValue
    }
}

extension HTTPHeader: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The header as a line, a secret left out.
    public var description: String { "\(name): \(shownValue)" }

    /// The header as a line, a secret left out.
    public var debugDescription: String { description }

    /// Name and value, a secret left out.
    public var customMirror: Mirror { Mirror(self, children: ["name": name, "value": shownValue]) }

    private var shownValue: String { isSensitive ? "<redacted>" : value }
}

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

extension [HTTPHeader] {
    /// Adds headers in the place of those of the same names.
    mutating func replace(with headers: [HTTPHeader]) {
        let names = Set(headers.map { $0.name.lowercased() })
        removeAll { names.contains($0.name.lowercased()) }
        append(contentsOf: headers)
    }
}
