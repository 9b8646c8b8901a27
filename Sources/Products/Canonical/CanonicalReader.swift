internal import JSON

/// Walks through the members of a product in a canonical encoding, which holds no white space and is not checked again.
///
/// A member that is not at its canonical position is empty, or has the bytes found there. No step leaves the product.
package struct CanonicalReader {
    private let encoded: [UInt8]
    /// The place of the bracket or comma before the next member.
    private var index: Int
    /// The place of the object's last brace.
    private let end: Int

    /// - Parameters:
    ///   - range: the range of an object, braces included.
    ///   - start: the place of its first brace, or behind one of its members.
    package init(_ encoded: [UInt8], in range: Range<Int>, at start: Int? = nil) {
        self.encoded = encoded
        index = start ?? range.lowerBound
        end = max(range.lowerBound, range.upperBound - 1)
    }

    /// Makes a reader whose next member has its value at a place.
    init(_ encoded: [UInt8], in range: Range<Int>, atValue place: Int, of name: String) {
        self.init(encoded, in: range, at: place - Self.lengthBeforeValue(of: name))
    }

    /// The content of the next member, a string with this name.
    mutating func string(of name: String) -> Range<Int> {
        let value = value(of: name)
        let start = min(value.lowerBound + 1, value.upperBound)
        return start..<max(start, value.upperBound - 1)
    }

    /// The next member, which has this name.
    mutating func value(of name: String) -> Range<Int> {
        skip(name)
        let start = index
        index = Self.end(ofValueAt: start, encoded.span, before: end)
        return start..<index
    }

    /// Goes into the next member, an object with this name.
    mutating func enter(_ name: String) {
        skip(name)
    }

    /// Goes behind the object that was entered.
    mutating func leave() {
        while isAtComma { _ = next() }
        index = min(index + 1, end)
    }

    /// The value of the next member with this name; nil when the object ends before.
    mutating func find(_ name: String) -> Range<Int>? {
        while isAtComma {
            let (key, value) = next()
            if key.count == name.utf8.count, encoded[key].elementsEqual(name.utf8) { return value }
        }
        return nil
    }

    /// The next member of an object, whose name is without quotes; nil when the object ends before.
    package mutating func nextMember() -> (name: Range<Int>, value: Range<Int>)? {
        index < end ? next() : nil
    }

    private var isAtComma: Bool { index < end && encoded[index] == UInt8(ascii: ",") }

    /// Goes behind the quotes and the colon of a name.
    private mutating func skip(_ name: String) {
        index = min(index + Self.lengthBeforeValue(of: name), end)
    }

    private static func lengthBeforeValue(of name: String) -> Int { name.utf8.count + 4 }

    private mutating func next() -> (name: Range<Int>, value: Range<Int>) {
        let name = min(index + 2, end)
        let quote = Self.closingQuote(encoded.span, from: name, before: end)
        let value = min(quote + 2, end)
        index = Self.end(ofValueAt: value, encoded.span, before: end)
        return (name..<quote, value..<index)
    }

    /// The places of an array's elements.
    package static func elements(_ encoded: [UInt8], _ array: Range<Int>) -> [Range<Int>] {
        var elements: [Range<Int>] = []
        var start = array.lowerBound + 1
        while start < array.upperBound - 1 {
            let end = end(ofValueAt: start, encoded.span, before: array.upperBound - 1)
            elements.append(start..<end)
            start = end + 1
        }
        return elements
    }

    /// The place of the quote that ends a string, at most a limit.
    package static func closingQuote(_ text: Span<UInt8>, from start: Int, before limit: Int) -> Int {
        min(JSONStringScan.closingQuote(text.extracting(0..<limit), from: start), limit)
    }

    /// The place behind the value that starts at a place, at most a limit.
    package static func end(ofValueAt start: Int, _ text: Span<UInt8>, before limit: Int) -> Int {
        guard start < limit else { return limit }
        switch text[start] {
        case UInt8(ascii: "\""): return min(closingQuote(text, from: start + 1, before: limit) + 1, limit)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return JSONStringScan.endOfBrackets(text.extracting(0..<limit), from: start) ?? limit
        default:
            var at = start
            while at < limit, !isEnd(text[at]) { at += 1 }
            return at
        }
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }
}
