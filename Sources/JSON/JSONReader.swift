/// One pass over a text.
struct JSONReader {
    let bytes: [UInt8]
    let end: Int
    var index: Int
    private let depthLimit: Int
    private var depth = 0

    init(_ bytes: [UInt8], in range: Range<Int>, depthLimit: Int) {
        self.bytes = bytes
        self.end = range.upperBound
        self.index = range.lowerBound
        self.depthLimit = depthLimit
        if range.lowerBound == 0, bytes[range].starts(with: Self.byteOrderMark) { index += Self.byteOrderMark.count }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    mutating func finish() throws(JSONSyntaxError) {
        skipWhitespace()
        if index < end { throw unexpected("the end of the document") }
    }

    mutating func value() throws(JSONSyntaxError) -> JSONValue {
        skipWhitespace()
        guard index < end else { throw unexpected("a value") }
        switch bytes[index] {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default: throw unexpected("a value")
        }
    }

    private mutating func object() throws(JSONSyntaxError) -> JSONObject {
        var object = JSONObject()
        try nest()
        if next(is: UInt8(ascii: "}")) { return leave(object) }
        repeat {
            let (key, offset) = try key()
            guard object.append(JSONMember(key: key, value: try value())) else {
                throw error(.duplicateKey(key), at: offset)
            }
        } while try another(before: UInt8(ascii: "}"))
        return leave(object)
    }

    private mutating func array() throws(JSONSyntaxError) -> [JSONValue] {
        var elements: [JSONValue] = []
        try nest()
        if next(is: UInt8(ascii: "]")) { return leave(elements) }
        repeat { elements.append(try value()) } while try another(before: UInt8(ascii: "]"))
        return leave(elements)
    }

    mutating func key() throws(JSONSyntaxError) -> (text: String, offset: Int) {
        skipWhitespace()
        let offset = index
        guard index < end, bytes[index] == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
        let key = try string()
        guard next(is: UInt8(ascii: ":")) else { throw unexpected("\":\"") }
        return (key, offset)
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONNumber {
        switch JSONNumberGrammar.scan(bytes.span, from: index, to: end) {
        case .number(let stop):
            defer { index = stop }
            return JSONNumber(unchecked: String(decoding: bytes[index..<stop], as: UTF8.self))
        case .digitExpected(let offset):
            index = offset
            throw unexpected("a digit")
        }
    }

    private mutating func literal(_ text: String, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        let start = index
        for byte in text.utf8 {
            guard index < end else { throw unexpected(text) }
            guard bytes[index] == byte else {
                index = start
                throw unexpected("a value")
            }
            index += 1
        }
        return value
    }

    mutating func nest() throws(JSONSyntaxError) {
        guard depth < depthLimit else { throw error(.tooDeep(limit: depthLimit), at: index) }
        depth += 1
        index += 1
    }

    mutating func leave<Result>(_ result: Result) -> Result {
        depth -= 1
        return result
    }

    mutating func another(before close: UInt8) throws(JSONSyntaxError) -> Bool {
        if next(is: UInt8(ascii: ",")) { return true }
        if next(is: close) { return false }
        throw unexpected("\",\" or \"\(Unicode.Scalar(close))\"")
    }

    mutating func next(is byte: UInt8) -> Bool {
        skipWhitespace()
        guard index < end, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    @inline(__always)
    mutating func skipWhitespace() {
        while index < end {
            switch bytes[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): index += 1
            default: return
            }
        }
    }

    func unexpected(_ expected: String) -> JSONSyntaxError {
        error(.unexpected(index < end ? bytes[index] : nil, expected: expected), at: index)
    }

    func error(_ reason: JSONSyntaxError.Reason, at offset: Int) -> JSONSyntaxError {
        JSONSyntaxError(reason, in: bytes, at: offset)
    }
}

extension JSONReader {
    /// Reads the elements of the next array, except those that `pass` skips.
    mutating func forEachElement(passing pass: (Int) -> Int?, else body: (JSONValue, Range<Int>) throws -> Void) throws
    {
        skipWhitespace()
        guard index < end, bytes[index] == UInt8(ascii: "[") else { throw unexpected("an array") }
        try nest()
        if next(is: UInt8(ascii: "]")) { return leave(()) }
        repeat {
            skipWhitespace()
            let start = index
            if let passed = pass(start) { index = passed } else { try body(try value(), start..<index) }
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
        let closed = JSONStringScan.endOfBrackets(bytes.span.extracting(0..<end), from: index)
        index = closed ?? end
        if closed == nil { throw unexpected("a closing bracket") }
    }
}
