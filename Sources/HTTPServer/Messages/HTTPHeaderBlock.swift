internal import Text

/// Header fields of a response, in the form in which they are sent.
///
/// A block is checked once, when it is made, so make one that many responses have in common once. A name may occur
/// several times. The server writes `Date`, `Content-Length`, `Transfer-Encoding` and `Connection`; a block cannot
/// contain them.
package struct HTTPHeaderBlock: Sendable, Hashable {
    /// Complete lines, each `Name: value\r\n`.
    private(set) var bytes: [UInt8] = []

    package init() {}

    /// Appends a field.
    ///
    /// - Throws: `HTTPHeaderError` if name or value would break the message, or the server writes the field.
    package mutating func append(_ name: String, _ value: String) throws(HTTPHeaderError) {
        guard name.utf8.isToken else { throw .invalidName(name) }
        guard !HTTPSyntax.isReservedField(name) else { throw .reserved(name) }
        guard value.utf8.isFieldValue else { throw .invalidValue(name: name, value: value) }
        appendChecked(name.utf8, value.utf8)
    }

    /// Appends a field whose value is a number. An invalid name is a programming error.
    package mutating func append(_ name: StaticString, number: Int) {
        appendChecked(Self.checked(name).utf8, String(number).utf8)
    }

    private static func checked(_ name: StaticString) -> String {
        let name = name.description
        precondition(name.utf8.isToken && !HTTPSyntax.isReservedField(name), "not a field name: \(name)")
        return name
    }

    package mutating func append(_ other: HTTPHeaderBlock) {
        bytes += other.bytes
    }

    /// Appends elements to the first field of this name, which is a list (RFC 9110, 5.6.1), or as a new field. An
    /// invalid name or value is a programming error.
    package mutating func append(_ elements: StaticString, toList name: StaticString) {
        guard let end = endOfField(name.description.utf8) else {
            return appendChecked(Self.checked(name).utf8, elements.description.utf8)
        }
        bytes.insert(contentsOf: ", \(elements)".utf8, at: end)
    }

    /// This block's fields followed by those of another.
    package func followed(by other: HTTPHeaderBlock) -> HTTPHeaderBlock {
        var both = HTTPHeaderBlock()
        both.bytes.reserveCapacity(bytes.count + other.bytes.count)
        both.bytes += bytes
        both.bytes += other.bytes
        return both
    }

    /// Whether there is a field of this name, whatever its case.
    package func contains(_ name: String) -> Bool {
        fields.contains { HTTPSyntax.isSameName($0.name.utf8, name.utf8) }
    }

    /// Every field in order, for logs and tests.
    package var fields: [(name: String, value: String)] {
        bytes.split(separator: UInt8(ascii: "\n")).map { line in
            let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
            let value = line[colon...].dropFirst(2).dropLast()
            return (String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
        }
    }

    /// The end of the value of the first field of this name.
    private func endOfField(_ name: String.UTF8View) -> Int? {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\r")) ?? bytes.count
            let line = bytes[start..<end]
            if line.dropFirst(name.count).first == UInt8(ascii: ":"),
                HTTPSyntax.isSameName(line.prefix(name.count), name)
            {
                return end
            }
            start = end + 2
        }
        return nil
    }

    mutating func appendTrusted(_ name: StaticString, _ value: String) {
        appendChecked(name.description.utf8, value.utf8)
    }

    private mutating func appendChecked(_ name: String.UTF8View, _ value: String.UTF8View) {
        bytes.reserveCapacity(bytes.count + name.count + value.count + 4)
        bytes += name
        bytes += ": ".utf8
        bytes += value
        bytes += "\r\n".utf8
    }
}

extension HTTPHeaderBlock: ExpressibleByDictionaryLiteral {
    /// Makes a block of literal fields; an invalid one is a programming error.
    package init(dictionaryLiteral elements: (StaticString, StaticString)...) {
        for (name, value) in elements {
            do {
                try append(name.description, value.description)
            } catch {
                preconditionFailure("\(error)")
            }
        }
    }
}

/// The reason why a header field cannot be sent.
package enum HTTPHeaderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name is empty or holds a character that is not allowed in a token.
    case invalidName(String)
    /// The value holds a control character, a line break among them.
    case invalidValue(name: String, value: String)
    /// The field frames the message or is made by the server: `Date`, `Content-Length`, `Transfer-Encoding`,
    /// `Connection`.
    case reserved(String)

    package var description: String {
        switch self {
        case .invalidName(let name): "header name \(name.debugDescription) is not a token"
        case .invalidValue(let name, let value):
            "value \(value.debugDescription) of header \(name) holds a control character"
        case .reserved(let name): "header \(name) is written by the server"
        }
    }
}
