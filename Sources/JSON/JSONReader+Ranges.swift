extension JSONReader {
    /// Gives the elements of the array that is next, with their places.
    mutating func forEachElement(_ body: (JSONValue, Range<Int>) throws -> Void) throws {
        skipWhitespace()
        guard index < end, bytes[index] == UInt8(ascii: "[") else { throw unexpected("an array") }
        try nest()
        if next(is: UInt8(ascii: "]")) { return leave(()) }
        repeat {
            skipWhitespace()
            let start = index
            try body(try value(), start..<index)
        } while try another(before: UInt8(ascii: "]"))
        return leave(())
    }

    /// The members of the object that is next, their values skipped.
    mutating func memberRanges() throws(JSONSyntaxError) -> [JSONMemberRange] {
        skipWhitespace()
        guard index < end, bytes[index] == UInt8(ascii: "{") else { throw unexpected("an object") }
        var ranges: [JSONMemberRange] = []
        var keys: Set<ExactKey> = []
        try nest()
        if next(is: UInt8(ascii: "}")) { return leave(ranges) }
        repeat {
            let (key, offset) = try key()
            guard keys.insert(ExactKey(key)).inserted else { throw error(.duplicateKey(key), at: offset) }
            skipWhitespace()
            let start = index
            try skipValue()
            ranges.append(JSONMemberRange(key: key, range: start..<index))
        } while try another(before: UInt8(ascii: "}"))
        return leave(ranges)
    }

    private mutating func skipValue() throws(JSONSyntaxError) {
        guard index < end else { throw unexpected("a value") }
        guard bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "[") else {
            _ = try value()
            return
        }
        var open = 0
        repeat {
            guard index < end else { throw unexpected("a closing bracket") }
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
            case UInt8(ascii: "\""): skipString()
            default: break
            }
            index += 1
        } while open > 0
    }

    /// Moves to the string's closing quote.
    private mutating func skipString() {
        index += 1
        while index < end, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
    }
}
