import Text

extension JSONReader {
    /// The string whose opening quote is next.
    mutating func string() throws(JSONSyntaxError) -> String {
        let start = index
        index += 1
        var (content, copied) = ([UInt8](), index)
        while index < end {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let rest = copied..<index
                index += 1
                if rest.lowerBound == start + 1 { return try text(bytes, rest, from: start) }
                content += bytes[rest]
                return try text(content, content.indices, from: start)
            case UInt8(ascii: "\\"):
                content += bytes[copied..<index]
                try escape(into: &content)
                copied = index
            case 0..<0x20:
                throw error(.controlCharacter(bytes[index]), at: index)
            default:
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

/// Finds the ends of strings, eight bytes at a time while they are plain, and of brackets.
package enum JSONStringScan {
    /// Scans a string and checks that it is UTF-8.
    /// - Parameters:
    ///   - start: the place behind the opening quote.
    ///   - isKey: whether it is a name.
    /// - Returns: the place of the closing quote, and whether the string is written otherwise than ``JSONWriter`` would;
    ///   for a name, whether it has any escape.
    @inline(__always)
    package static func scan(_ text: Span<UInt8>, from start: Int, isKey: Bool) throws(Unscannable) -> (end: Int, Bool)
    {
        var (at, isForeign, isASCII) = (start, false, true)
        while true {
            at = nextSpecial(text, from: at, alsoHigh: isASCII)
            guard at < text.count else { throw Unscannable() }
            switch text[at] {
            case UInt8(ascii: "\""):
                if !isASCII { try validate(text, start..<at) }
                return (at, isForeign)
            case UInt8(ascii: "\\"):
                if try isForeignEscape(text, at + 1) || isKey { isForeign = true }
                at += 2
            case 0x80...: isASCII = false
            default: throw Unscannable()
            }
        }
    }

    /// The place of the quote that ends a string; one behind all bytes when there is none.
    package static func closingQuote(_ text: Span<UInt8>, from start: Int) -> Int {
        var at = start
        while true {
            at = nextSpecial(text, from: at, alsoHigh: false)
            guard at < text.count, text[at] != UInt8(ascii: "\"") else { return at }
            at += text[at] == UInt8(ascii: "\\") ? 2 : 1
        }
    }

    /// The place behind the bracket that closes the bracket at a place; nil if there is none, or nesting is deeper than
    /// the limit. Only brackets and strings are recognised; nothing is checked.
    package static func endOfBrackets(_ text: Span<UInt8>, from start: Int, depthLimit: Int = .max) -> Int? {
        var (at, open) = (start, 0)
        while at < text.count {
            switch text[at] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open += 1
                if open > depthLimit { return nil }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                open -= 1
                if open == 0 { return at + 1 }
            case UInt8(ascii: "\""): at = closingQuote(text, from: at + 1)
            default: break
            }
            at += 1
        }
        return nil
    }

    private static func isForeignEscape(_ text: Span<UInt8>, _ place: Int) throws(Unscannable) -> Bool {
        guard place < text.count else { throw Unscannable() }
        switch text[place] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "r"),
            UInt8(ascii: "b"), UInt8(ascii: "f"):
            return false
        case UInt8(ascii: "/"), UInt8(ascii: "u"): return true
        default: throw Unscannable()
        }
    }

    /// Finds the first quote, backslash or control character and, if wanted, byte above ASCII.
    @inline(__always)
    private static func nextSpecial(_ text: Span<UInt8>, from start: Int, alsoHigh: Bool) -> Int {
        let bytes = unsafe text.bytes
        let high: UInt64 = alsoHigh ? highs : 0
        var at = start
        while at + 8 <= bytes.byteCount {
            let word = UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self))
            let found = specials(in: word) | word & high
            if found != 0 { return at + found.trailingZeroBitCount >> 3 }
            at += 8
        }
        while at < bytes.byteCount {
            let byte = text[at]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte >= 0x80 && alsoHigh {
                return at
            }
            at += 1
        }
        return at
    }

    private static var ones: UInt64 { 0x0101_0101_0101_0101 }
    private static var highs: UInt64 { 0x8080_8080_8080_8080 }

    /// Sets the high bit of each quote, backslash and control character; bits above the lowest one may be wrong.
    @inline(__always)
    private static func specials(in word: UInt64) -> UInt64 {
        let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let slashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let found = (quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes | (word &- ones &* 0x20) & ~word
        return found & highs
    }

    private static func validate(_ text: Span<UInt8>, _ range: Range<Int>) throws(Unscannable) {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: text.extracting(range))
        } catch {
            throw Unscannable()
        }
    }
}
