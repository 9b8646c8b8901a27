/// The classes of bytes in the grammars of HTTP, URLs and trace headers.
extension UInt8 {
    /// Whether the byte is an ASCII letter or digit.
    @inlinable package var isAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Whether the byte may stand in a token, such as a method or a field name (`tchar`, RFC 9110, 5.6.2).
    @inlinable package var isTokenByte: Bool { isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(self) }

    /// Whether the byte may stand in a field value: no control character but the tab (RFC 9110, 5.5).
    @inlinable package var isFieldValueByte: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }

    /// The byte, with an ASCII capital letter in lower case.
    @inlinable package var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }

    /// The value of a hexadecimal digit in either case; nil for another byte.
    @inlinable package var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Collection<UInt8> {
    /// Whether the bytes are a token (RFC 9110, 5.6.2).
    @inlinable package var isToken: Bool { !isEmpty && allSatisfy { $0.isTokenByte } }

    /// Whether the bytes may be sent as the value of a field.
    @inlinable package var isFieldValue: Bool { allSatisfy { $0.isFieldValueByte } }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// All hexadecimal digits, leading zeros included, in lower case.
    @inlinable package var hexDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}
