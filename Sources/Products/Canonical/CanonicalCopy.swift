internal import Glibc
internal import JSON

/// Appends members to an encoding, adjacent ones in one copy.
struct CanonicalCopy {
    /// The part of the text that is still to be appended.
    private var start = 0
    private var end = 0
    /// Whether the opened object or array is still empty.
    private var isFirst = true

    mutating func restart() {
        (start, end, isFirst) = (0, 0, true)
    }

    /// Appends a member unchanged from the text.
    mutating func append(_ member: JSONEntry, _ text: Span<UInt8>, _ bytes: inout [UInt8]) {
        let name = member.keyStart - 1
        guard member.start == member.keyEnd + 2 else {
            begin(member, text, &bytes)
            bytes.append(text, member.range)
            return
        }
        if !isFirst, end > start, name == end + 1, text[end] == UInt8(ascii: ",") {
            end = member.end
        } else {
            separate(text, &bytes)
            (start, end) = (name, member.end)
        }
    }

    /// Begins a member whose value the caller appends.
    mutating func begin(_ member: JSONEntry, _ text: Span<UInt8>, _ bytes: inout [UInt8]) {
        separate(text, &bytes)
        bytes.append(text, member.keyStart - 1..<member.keyEnd + 1)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Begins a member whose value the caller appends.
    /// - Parameters:
    ///   - letters: hold the name.
    ///   - name: the place of the name in quotes, and the colon.
    mutating func begin(_ letters: [UInt8], _ name: Range<Int>, _ text: Span<UInt8>, _ bytes: inout [UInt8]) {
        separate(text, &bytes)
        bytes.append(letters.span, name)
    }

    mutating func open(_ bracket: UInt8, _ text: Span<UInt8>, _ bytes: inout [UInt8]) {
        flush(text, &bytes)
        bytes.append(bracket)
        isFirst = true
    }

    mutating func close(_ bracket: UInt8, _ text: Span<UInt8>, _ bytes: inout [UInt8]) {
        flush(text, &bytes)
        bytes.append(bracket)
        isFirst = false
    }

    /// Appends the comma before a member or element that is not the first.
    mutating func separate(_ text: Span<UInt8>, _ bytes: inout [UInt8]) {
        flush(text, &bytes)
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    private mutating func flush(_ text: Span<UInt8>, _ bytes: inout [UInt8]) {
        guard end > start else { return }
        bytes.append(text, start..<end)
        (start, end) = (0, 0)
    }
}

extension [UInt8] {
    /// Appends a part of a text.
    @inline(__always)
    package mutating func append(_ text: Span<UInt8>, _ range: Range<Int>) {
        unsafe text.extracting(range).withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}

/// A number in plain notation: a part of the text, or digits that were made from it.
enum CanonicalNumber {
    case part(Int, Int)
    case digits(String)

    /// An exact decimal, from a number or from a string that holds one.
    init(decimal value: JSONEntry, _ text: Span<UInt8>) throws(Unscannable) {
        var range = value.range
        if text[value.start] == UInt8(ascii: "\"") {
            guard value.isCanonical else { throw Unscannable() }
            range = value.start + 1..<value.end - 1
            guard JSONTape.isNumber(text, range) else { throw Unscannable() }
        } else {
            guard Self.starts(with: text[value.start]) else { throw Unscannable() }
        }
        if let end = Self.plainEnd(text, range) {
            self = .part(range.lowerBound, end)
        } else if let number = JSONNumber(literal: String(text, range)), let digits = ExactDecimal(number)?.digits {
            self = .digits(digits.literal)
        } else {
            throw Unscannable()
        }
    }

    /// An integer that fits `Int`.
    init(integer value: JSONEntry, _ text: Span<UInt8>) throws(Unscannable) {
        guard Self.starts(with: text[value.start]) else { throw Unscannable() }
        if Self.isPlainInteger(text, value.range) {
            self = .part(value.start, value.end)
        } else if let integer = JSONNumber(literal: String(text, value.range))?.integer {
            self = .digits(String(integer))
        } else {
            throw Unscannable()
        }
    }

    func append(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
        switch self {
        case .part(let start, let end): bytes.append(text, start..<end)
        case .digits(let digits): bytes.append(contentsOf: digits.utf8)
        }
    }

    static func starts(with byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10
    }

    /// Whether there are only digits, and few enough for an `Int`.
    static func isPlainInteger(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count <= 18 else { return false }
        for at in range where text[at] &- UInt8(ascii: "0") >= 10 { return false }
        return true
    }

    /// The end of a number without redundant zeros; nil if it has another notation, or may not be exact.
    static func plainEnd(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard range.count < 19 else { return nil }
        var (point, last, at) = (-1, -1, range.lowerBound)
        if text[at] == UInt8(ascii: "-") { at += 1 }
        let first = at
        while at < range.upperBound {
            switch text[at] {
            case UInt8(ascii: "0"): break
            case UInt8(ascii: "1")...UInt8(ascii: "9"): last = at
            case UInt8(ascii: "."): point = at
            default: return nil
            }
            at += 1
        }
        guard last >= 0 else { return range.count == 1 ? first + 1 : nil }
        if point < 0 { return range.upperBound }
        return last > point ? last + 1 : point
    }
}

extension Span<UInt8> {
    /// Whether a range has the bytes of another text's.
    @inline(__always)
    func hasSame(_ range: Range<Int>, as other: Span<UInt8>, _ place: Range<Int>) -> Bool {
        guard range.count == place.count, !range.isEmpty else { return range.count == place.count }
        return unsafe extracting(range).withUnsafeBytes { bytes in
            unsafe other.extracting(place).withUnsafeBytes { others in
                guard let start = bytes.baseAddress, let other = others.baseAddress else { return false }
                return unsafe memcmp(start, other, bytes.count) == 0
            }
        }
    }
}

extension String {
    /// Decodes a part of a text.
    package init(_ text: Span<UInt8>, _ range: Range<Int>) {
        self = unsafe text.extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
