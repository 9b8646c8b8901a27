/// The places of all values within one JSON value, found in one pass, several times as fast as ``JSONReader`` makes a
/// tree.
///
/// It accepts less than the reader does. It leaves names with escapes, very deep nesting and objects with very many
/// members to the reader, and all faults, which only the reader describes. Everything it accepts the reader accepts,
/// except for escapes of four digits: those are checked when a value that is not canonical is rewritten.
package struct JSONTape {
    /// The values, each before those within it.
    package private(set) var entries: [JSONEntry] = []
    private var index = 0
    /// The entries of a value that is changed.
    private var moved: [JSONEntry] = []

    private static let depthLimit = 64
    /// The most values: a tape takes several times the memory of the text.
    private static let entryLimit = 1 << 16
    /// The most members of an object, and so the most comparisons of a name.
    package static let memberLimit = 64

    package init() {}

    /// Scans the value whose first byte is at an offset; its entry is the first.
    /// - Returns: the offset behind the value.
    package mutating func scan(_ text: Span<UInt8>, at offset: Int) throws(Unscannable) -> Int {
        entries.removeAll(keepingCapacity: true)
        index = offset
        _ = try append(JSONEntry(), text, depth: 0)
        return index
    }

    /// Adds a member to the object that was scanned, which has none of its name.
    /// - Parameter key: the place of the name, without quotes and escapes; a colon and the value stand behind it.
    package mutating func add(_ key: Range<Int>, _ text: Span<UInt8>) throws(Unscannable) {
        index = key.upperBound + 2
        _ = try append(JSONEntry(text, key.lowerBound, key.upperBound), text, depth: 1)
        entries[0].finish(entries[0].start, entries[0].end, isCanonical: false, next: entries.count)
    }

    /// Replaces values by others, which ``JSONWriter`` has written and are in the text already.
    /// - Parameter changes: the indexes of the replaced entries, ascending, and the new entries of each, scanned at the
    ///   start of a text.
    package mutating func replace(_ changes: [(place: Int, values: [JSONEntry])]) throws(Unscannable) {
        moved.removeAll(keepingCapacity: true)
        var outer: [(old: Int, new: Int)] = []
        var (place, shift) = (0, 0)
        for number in 0...changes.count {
            let next = number < changes.count ? changes[number].place : entries.count
            while true {
                // The end of an enclosing value is known only behind its last change.
                while let (old, new) = outer.last, entries[old].next <= place {
                    moved[new].finish(
                        moved[new].start, entries[old].end + shift, isCanonical: entries[old].isCanonical,
                        next: moved.count)
                    outer.removeLast()
                }
                guard place < next else { break }
                if entries[place].next > next { outer.append((place, moved.count)) }
                moved.append(entries[place].moved(by: shift, moved.count - place))
                place += 1
            }
            guard place < entries.count else { break }
            let values = changes[number].values
            var entry = entries[place].moved(by: shift, 0)
            let (start, first) = (entry.start, moved.count)
            entry.finish(
                start, start + values[0].end, isCanonical: values[0].isCanonical, next: first + values.count)
            moved.append(entry)
            for value in values.dropFirst() { moved.append(value.moved(by: start, first)) }
            shift += values[0].end - entries[place].range.count
            place = entries[place].next
        }
        swap(&entries, &moved)
        guard entries.count < Self.entryLimit else { throw Unscannable() }
    }

    /// Whether a part of a text is one number.
    package static func isNumber(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard
            case .number(range.upperBound) = JSONNumberGrammar.scan(text, from: range.lowerBound, to: range.upperBound)
        else { return false }
        return true
    }

    /// Appends the entry of the value at `index`, and those of the values within it.
    /// - Returns: whether the value is canonical.
    private mutating func append(_ key: JSONEntry, _ text: Span<UInt8>, depth: Int) throws(Unscannable) -> Bool {
        guard index < text.count, entries.count < Self.entryLimit else { throw Unscannable() }
        let start = index
        var (entry, isCanonical) = (key, true)
        switch text[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let slot = entries.count
            entries.append(entry)
            isCanonical =
                try text[start] == UInt8(ascii: "{") ? object(text, depth: depth + 1) : array(text, depth: depth + 1)
            entries[slot].finish(start, index, isCanonical: isCanonical, next: entries.count)
            return isCanonical
        case UInt8(ascii: "\""): isCanonical = !(try string(text, isKey: false))
        case UInt8(ascii: "t"): try literal("true", text)
        case UInt8(ascii: "f"): try literal("false", text)
        case UInt8(ascii: "n"): try literal("null", text)
        default: try number(text)
        }
        entry.finish(start, index, isCanonical: isCanonical, next: entries.count + 1)
        entries.append(entry)
        return isCanonical
    }

    /// - Returns: whether it is canonical.
    private mutating func object(_ text: Span<UInt8>, depth: Int) throws(Unscannable) -> Bool {
        guard depth <= Self.depthLimit else { throw Unscannable() }
        let first = entries.count
        var (count, prints, isCanonical) = (0, UInt64(0), true)
        index += 1
        if skipWhitespace(text) { isCanonical = false }
        if index < text.count, text[index] == UInt8(ascii: "}") {
            index += 1
            return isCanonical
        }
        while true {
            let start = index + 1
            guard index < text.count, text[index] == UInt8(ascii: "\""), !(try string(text, isKey: true)) else {
                throw Unscannable()
            }
            let entry = JSONEntry(text, start, index - 1)
            let bit: UInt64 = 1 << (entry.mixedPrint >> 58)
            if prints & bit != 0, isTaken(entry, text, from: first) { throw Unscannable() }
            prints |= bit
            count += 1
            if skipWhitespace(text) { isCanonical = false }
            guard index < text.count, text[index] == UInt8(ascii: ":"), count <= Self.memberLimit else {
                throw Unscannable()
            }
            index += 1
            if skipWhitespace(text) { isCanonical = false }
            if try !append(entry, text, depth: depth) { isCanonical = false }
            if skipWhitespace(text) { isCanonical = false }
            if try !another(before: UInt8(ascii: "}"), text) { return isCanonical }
            if skipWhitespace(text) { isCanonical = false }
        }
    }

    /// - Returns: whether it is canonical.
    private mutating func array(_ text: Span<UInt8>, depth: Int) throws(Unscannable) -> Bool {
        guard depth <= Self.depthLimit else { throw Unscannable() }
        index += 1
        var isCanonical = !skipWhitespace(text)
        if index < text.count, text[index] == UInt8(ascii: "]") {
            index += 1
            return isCanonical
        }
        while true {
            if try !append(JSONEntry(), text, depth: depth) { isCanonical = false }
            if skipWhitespace(text) { isCanonical = false }
            if try !another(before: UInt8(ascii: "]"), text) { return isCanonical }
            if skipWhitespace(text) { isCanonical = false }
        }
    }

    private func isTaken(_ entry: JSONEntry, _ text: Span<UInt8>, from first: Int) -> Bool {
        var position = first
        while position < entries.count {
            if entries[position].hasSameKey(as: entry, text) { return true }
            position = entries[position].next
        }
        return false
    }

    /// Goes behind a comma or a closing bracket.
    /// - Returns: whether it was a comma.
    @inline(__always)
    private mutating func another(before bracket: UInt8, _ text: Span<UInt8>) throws(Unscannable) -> Bool {
        guard index < text.count else { throw Unscannable() }
        let byte = text[index]
        index += 1
        if byte == UInt8(ascii: ",") { return true }
        guard byte == bracket else { throw Unscannable() }
        return false
    }

    /// - Returns: whether there was any.
    @inline(__always)
    private mutating func skipWhitespace(_ text: Span<UInt8>) -> Bool {
        let start = index
        while index < text.count, text[index] <= UInt8(ascii: " ") {
            switch text[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): index += 1
            default: return index > start
            }
        }
        return index > start
    }

    /// - Returns: whether it is written otherwise than ``JSONWriter`` would; for a key, whether it has any escape.
    @inline(__always)
    private mutating func string(_ text: Span<UInt8>, isKey: Bool) throws(Unscannable) -> Bool {
        let (end, isForeign) = try JSONStringScan.scan(text, from: index + 1, isKey: isKey)
        index = end + 1
        return isForeign
    }

    private mutating func literal(_ literal: StaticString, _ text: Span<UInt8>) throws(Unscannable) {
        let end = index + literal.utf8CodeUnitCount
        guard end <= text.count else { throw Unscannable() }
        for offset in 0..<literal.utf8CodeUnitCount {
            let wanted = unsafe literal.utf8Start[offset]
            guard text[index + offset] == wanted else { throw Unscannable() }
        }
        index = end
    }

    private mutating func number(_ text: Span<UInt8>) throws(Unscannable) {
        guard case .number(let end) = JSONNumberGrammar.scan(text, from: index, to: text.count) else {
            throw Unscannable()
        }
        index = end
    }
}

/// The text is for ``JSONReader`` to read or to refuse.
package struct Unscannable: Error {
    package init() {}
}
