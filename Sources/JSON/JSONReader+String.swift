import Text

extension JSONReader {
    /// The string whose opening quote is next.
    mutating func string() throws(JSONSyntaxError) -> String {
        let start = index
        index += 1
        while index < end {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return try text(bytes, (start + 1)..<(index - 1), from: start)
            case UInt8(ascii: "\\"):
                return try escapedString(from: start)
            case 0..<0x20:
                throw error(.controlCharacter(bytes[index]), at: index)
            default:
                index += 1
            }
        }
        throw unexpected("the string's closing quote")
    }

    private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
        var content = Array(bytes[(start + 1)..<index])
        while index < end {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return try text(content, content.indices, from: start)
            case UInt8(ascii: "\\"):
                try escape(into: &content)
            case 0..<0x20:
                throw error(.controlCharacter(byte), at: index)
            default:
                content.append(byte)
                index += 1
            }
        }
        throw unexpected("the string's closing quote")
    }

    private mutating func escape(into content: inout [UInt8]) throws(JSONSyntaxError) {
        index += 1
        guard index < end else { throw unexpected("an escape") }
        switch bytes[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(bytes[index])
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            content.append(contentsOf: String(try unicodeEscape()).utf8)
            return
        default: throw error(.invalidEscape(bytes[index]), at: index)
        }
        index += 1
    }

    private mutating func unicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = index - 1
        let high = try hexadecimal()
        if let scalar = Unicode.Scalar(high) { return scalar }
        guard high < 0xDC00, index + 1 < end, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { throw error(.loneSurrogate, at: start) }
        index += 1
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar((high - 0xD800) << 10 + low - 0xDC00 + 0x10000)
        else { throw error(.loneSurrogate, at: start) }
        return scalar
    }

    /// The four digits after the `u` that is next.
    private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt32 {
        index += 1
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard index < end, let digit = bytes[index].hexValue else { throw unexpected("a hexadecimal digit") }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    private func text(_ content: [UInt8], _ range: Range<Int>, from start: Int) throws(JSONSyntaxError) -> String {
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: content.span.extracting(range)))
        } catch {
            throw self.error(.invalidUTF8, at: start)
        }
    }
}
