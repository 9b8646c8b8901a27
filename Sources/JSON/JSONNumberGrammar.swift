/// The grammar of numbers, in the one place that both the parser and literals from elsewhere go through.
enum JSONNumberGrammar {
    /// Whether all of the text is one number.
    static func matches(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard case .number(let end) = scan(bytes, from: 0, to: bytes.count) else { return false }
        return end == bytes.count
    }

    /// What a scan found.
    enum Scan {
        /// A number that ends before this offset.
        case number(end: Int)
        /// No number, for want of a digit at this offset.
        case digitExpected(at: Int)
    }

    /// Finds the end of the number that starts at an offset.
    @inline(__always)
    static func scan(_ bytes: [UInt8], from start: Int, to end: Int) -> Scan {
        var index = start
        if index < end, bytes[index] == UInt8(ascii: "-") { index += 1 }
        guard index < end, isDigit(bytes[index]) else { return .digitExpected(at: index) }
        if bytes[index] == UInt8(ascii: "0") { index += 1 } else { skipDigits(bytes, &index, end) }
        if index < end, bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard index < end, isDigit(bytes[index]) else { return .digitExpected(at: index) }
            skipDigits(bytes, &index, end)
        }
        if index < end, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < end, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
            guard index < end, isDigit(bytes[index]) else { return .digitExpected(at: index) }
            skipDigits(bytes, &index, end)
        }
        return .number(end: index)
    }

    @inline(__always)
    private static func skipDigits(_ bytes: [UInt8], _ index: inout Int, _ end: Int) {
        while index < end, isDigit(bytes[index]) { index += 1 }
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }
}
