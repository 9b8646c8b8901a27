internal import JSON
internal import Products

/// Copies a value as one of our types. A value that has to be converted otherwise is left to ``MemberType``.
enum CopiedValue: Sendable {
    /// A non-empty text.
    case identifier
    case text
    /// A number with so many digits behind the point.
    case number(scale: Int)
    /// A number with so many digits behind the point, without zeros at its end.
    case plain(scale: Int)
    /// A whole number.
    case integer
    case currency
    case categories
    /// Any value, unchanged.
    case other

    /// Nil for a type that is not copied.
    /// - Parameter isChecked: whether the decoder of products reads the number and gives it its form.
    init?(_ type: MemberType, scale: Int?, isChecked: Bool) {
        switch type {
        case .identifier: self = .identifier
        case .text: self = .text
        case .integer where isChecked, .decimal where isChecked: self = .number(scale: scale ?? 0)
        case .decimal: self = .plain(scale: scale ?? 0)
        case .integer where scale == nil: self = .integer
        case .currency: self = .currency
        case .categories: self = .categories
        case .other where scale == nil: self = .other
        case .integer, .decimals, .other: return nil
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
        case .plain(let scale):
            let start = bytes.count
            guard try Self.appendNumber(entry, text, isString, scale, to: &bytes) else { return false }
            var hasPoint = false
            // The digits of a huge number may be too many.
            guard bytes.count - start < 20 else { throw Unscannable() }
            for byte in bytes[start...] where !Self.isDigit(byte) {
                guard byte == UInt8(ascii: ".") else { throw Unscannable() }
                hasPoint = true
            }
            while hasPoint, let last = bytes.last, last == UInt8(ascii: "0") || last == UInt8(ascii: ".") {
                hasPoint = last == UInt8(ascii: "0")
                bytes.removeLast()
            }
        case .integer:
            let start = bytes.count
            guard try Self.appendNumber(entry, text, isString, 0, to: &bytes) else { return false }
            guard bytes.count - start <= 18, bytes[start...].allSatisfy(Self.isDigit) else { throw Unscannable() }
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
                    try Self.checkCategory(tape.entries[inner], text)
                    inner = tape.entries[inner].next
                }
            } else if !isString, text[entry.start] != UInt8(ascii: "{") {
                throw Unscannable()
            }
            bytes.append(text, entry.range)
        case .other: bytes.append(text, entry.range)
        }
        return true
    }

    /// Appends an element of a list; only categories and attributes have lists.
    func appendElement(_ entry: JSONEntry, _ text: Span<UInt8>, to bytes: inout [UInt8]) throws(Unscannable) {
        switch self {
        case .categories: try Self.checkCategory(entry, text)
        case .other: break
        case .identifier, .text, .number, .plain, .integer, .currency: throw Unscannable()
        }
        bytes.append(text, entry.range)
    }

    /// Throws for an element that is no category, or a number.
    private static func checkCategory(_ entry: JSONEntry, _ text: Span<UInt8>) throws(Unscannable) {
        let first = text[entry.start]
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "\"") && entry.end - entry.start > 2 else {
            throw Unscannable()
        }
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
