internal import JSON
internal import Products

/// Copies a value as one of our types. A value that has to be converted otherwise is left to ``MemberType``.
enum CopiedValue: Sendable {
    /// A non-empty text.
    case identifier
    case text
    /// A number with so many digits behind the point.
    case number(scale: Int)
    case currency
    case categories
    /// Any value, unchanged.
    case other

    /// Nil for a type that is not copied.
    init?(_ type: MemberType, scale: Int?) {
        switch type {
        case .identifier: self = .identifier
        case .text: self = .text
        case .integer, .decimal: self = .number(scale: scale ?? 0)
        case .currency: self = .currency
        case .categories: self = .categories
        case .other where scale == nil: self = .other
        case .decimals, .other: return nil
        }
    }

    /// Appends the value of an entry.
    /// - Returns: whether there is one; an empty text stands for no number.
    func append(
        _ place: Int, _ tape: borrowing JSONTape, _ text: Span<UInt8>, to bytes: inout [UInt8]
    ) throws(Unscannable) -> Bool {
        let entry = tape.entries[place]
        let isString = text[entry.start] == UInt8(ascii: "\"")
        switch self {
        case .identifier, .text:
            if case .identifier = self, isString, entry.end - entry.start == 2 { throw Unscannable() }
            try Self.appendText(entry, text, isString, to: &bytes)
        case .number(let scale): return try Self.appendNumber(entry, text, isString, scale, to: &bytes)
        case .currency:
            guard isString, entry.end - entry.start == 5, entry.isCanonical,
                Currency(code: String(text, entry.start + 1..<entry.end - 1)) != nil
            else { throw Unscannable() }
            bytes.append(text, entry.range)
        case .categories:
            if text[entry.start] == UInt8(ascii: "[") {
                guard entry.next > place + 1 else { throw Unscannable() }
                var inner = place + 1
                while inner < entry.next {
                    let element = tape.entries[inner]
                    let first = text[element.start]
                    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "\"") && element.end - element.start > 2
                    else { throw Unscannable() }
                    inner = element.next
                }
            } else if !isString, text[entry.start] != UInt8(ascii: "{") {
                throw Unscannable()
            }
            bytes.append(text, entry.range)
        case .other: bytes.append(text, entry.range)
        }
        return true
    }

    /// Appends a string, or a number as one.
    private static func appendText(
        _ entry: JSONEntry, _ text: Span<UInt8>, _ isString: Bool, to bytes: inout [UInt8]
    ) throws(Unscannable) {
        if isString { return bytes.append(text, entry.range) }
        guard isNumber(text[entry.start]) else { throw Unscannable() }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(text, entry.range)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a number, also from a string that is one. A negative one may be refused, which needs its place.
    private static func appendNumber(
        _ entry: JSONEntry, _ text: Span<UInt8>, _ isString: Bool, _ scale: Int, to bytes: inout [UInt8]
    ) throws(Unscannable) -> Bool {
        let range = isString ? entry.start + 1..<entry.end - 1 : entry.range
        if isString {
            if range.isEmpty { return false }
            guard entry.isCanonical, JSONTape.isNumber(text, range) else { throw Unscannable() }
        }
        guard isDigit(text[range.lowerBound]) else { throw Unscannable() }
        if scale == 0 {
            bytes.append(text, range)
            return true
        }
        guard range.count <= 18, range.allSatisfy({ isDigit(text[$0]) }) else { throw Unscannable() }
        let whole = range.count - scale
        if whole > 0 {
            bytes.append(text, range.lowerBound..<range.lowerBound + whole)
        } else {
            bytes.append(UInt8(ascii: "0"))
        }
        bytes.append(UInt8(ascii: "."))
        for _ in 0..<max(0, -whole) { bytes.append(UInt8(ascii: "0")) }
        bytes.append(text, range.lowerBound + max(0, whole)..<range.upperBound)
        return true
    }

    private static func isNumber(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || isDigit(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

/// A path of names and indexes within an item.
struct CopiedPath: Sendable {
    struct Step: Sendable {
        private let name: [UInt8]
        private let print: UInt64
        let index: Int?

        init(_ text: String) {
            let name = Array(text.utf8)
            (self.name, index) = (name, Int(text))
            print = JSONEntry.print(name.span, 0, name.count)
        }

        func isName(of entry: JSONEntry, _ text: Span<UInt8>) -> Bool {
            guard print == entry.print, name.count == entry.keyEnd - entry.keyStart else { return false }
            var offset = JSONEntry.printedCount
            while offset < name.count {
                if name[offset] != text[entry.keyStart + offset] { return false }
                offset += 1
            }
            return true
        }
    }

    private let steps: [Step]

    init(_ path: JSONPath) { steps = path.components.map(Step.init) }

    /// Returns the entry that the path leads to; nil for none, and for null.
    func place(in tape: borrowing JSONTape, _ text: Span<UInt8>) -> Int? {
        var place = 0
        for step in steps {
            let outer = tape.entries[place]
            let isObject = text[outer.start] == UInt8(ascii: "{")
            guard isObject || text[outer.start] == UInt8(ascii: "[") else { return nil }
            var (inner, number) = (place + 1, 0)
            while inner < outer.next {
                if isObject ? step.isName(of: tape.entries[inner], text) : step.index == number { break }
                (inner, number) = (tape.entries[inner].next, number + 1)
            }
            guard inner < outer.next else { return nil }
            place = inner
        }
        return text[tape.entries[place].start] == UInt8(ascii: "n") ? nil : place
    }
}
