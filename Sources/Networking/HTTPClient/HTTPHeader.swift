/// One header of a request or a response, its name as written.
public struct HTTPHeader: Sendable, Hashable {
    /// As written; names are compared without case.
    public let name: String
    /// Without blanks around it.
    public let value: String

    /// Creates a header.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether the header can be sent: a token as its name, and no control characters in its value, so that a value
    /// from a file cannot add headers of its own.
    public var isSendable: Bool {
        !name.isEmpty && name.utf8.allSatisfy(Self.isTokenByte)
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
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
