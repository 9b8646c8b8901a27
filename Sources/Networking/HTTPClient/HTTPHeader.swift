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
        !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
    }

    /// Whether a header may have this value.
    static func isSendable(value: String) -> Bool {
        value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
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
