internal import JSON

/// Walks through the members of a product in a canonical encoding, which holds no white space and is not checked again.
struct CanonicalReader {
    private let encoded: [UInt8]
    /// The place of the bracket or comma before the next member.
    private var index: Int

    /// - Parameter start: the place of an object's first brace, or behind one of its members.
    init(_ encoded: [UInt8], at start: Int) {
        self.encoded = encoded
        index = start
    }

    /// The content of the next member, a string with this name.
    mutating func string(of name: String) -> Range<Int> {
        let value = value(of: name)
        return value.lowerBound + 1..<value.upperBound - 1
    }

    /// The next member, which has this name.
    mutating func value(of name: String) -> Range<Int> {
        let start = index + name.utf8.count + 4
        index = Self.end(ofValueAt: start, encoded.span)
        return start..<index
    }

    /// Goes into the next member, an object with this name.
    mutating func enter(_ name: String) {
        index += name.utf8.count + 4
    }

    /// Goes behind the object that was entered.
    mutating func leave() {
        while encoded[index] == UInt8(ascii: ",") { _ = next() }
        index += 1
    }

    /// The value of the next member with this name; nil when the object ends before.
    mutating func find(_ name: String) -> Range<Int>? {
        while encoded[index] == UInt8(ascii: ",") {
            let (key, value) = next()
            if key.count == name.utf8.count, encoded[key].elementsEqual(name.utf8) { return value }
        }
        return nil
    }

    private mutating func next() -> (name: Range<Int>, value: Range<Int>) {
        let name = index + 2
        let quote = JSONStringScan.closingQuote(encoded.span, from: name)
        index = Self.end(ofValueAt: quote + 2, encoded.span)
        return (name..<quote, quote + 2..<index)
    }

    /// The places of an array's elements.
    static func elements(_ encoded: [UInt8], _ array: Range<Int>) -> [Range<Int>] {
        var elements: [Range<Int>] = []
        var start = array.lowerBound + 1
        while start < array.upperBound - 1 {
            let end = end(ofValueAt: start, encoded.span)
            elements.append(start..<end)
            start = end + 1
        }
        return elements
    }

    private static func end(ofValueAt start: Int, _ text: Span<UInt8>) -> Int {
        switch text[start] {
        case UInt8(ascii: "\""): return JSONStringScan.closingQuote(text, from: start + 1) + 1
        case UInt8(ascii: "{"), UInt8(ascii: "["): return endOfBrackets(from: start, text)
        default:
            var at = start
            while !isEnd(text[at]) { at += 1 }
            return at
        }
    }

    private static func endOfBrackets(from start: Int, _ text: Span<UInt8>) -> Int {
        var (at, open) = (start, 0)
        repeat {
            switch text[at] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
            case UInt8(ascii: "\""): at = JSONStringScan.closingQuote(text, from: at + 1)
            default: break
            }
            at += 1
        } while open > 0
        return at
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }
}
