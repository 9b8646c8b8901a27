/// The place of a value in a text and, in an object, of its name, which has no escapes.
package struct JSONEntry: Sendable {
    /// The beginning and the length of the name; equal for equal names.
    package let print: UInt64
    /// The place of the name, without quotes.
    package private(set) var keyStart: Int
    /// The place behind the name.
    package private(set) var keyEnd: Int
    /// The place of the value.
    package private(set) var start = 0
    /// The place behind the value.
    package private(set) var end = 0
    /// The index of the entry behind this value and those within it.
    package private(set) var next = 0
    /// Whether ``JSONWriter`` would write the same bytes for the value.
    package private(set) var isCanonical = true

    /// The number of leading bytes of a name that are part of its print.
    package static let printedCount = 7

    init() {
        (print, keyStart, keyEnd) = (0, 0, 0)
    }

    /// - Parameters:
    ///   - start: the place of the name, without quotes.
    ///   - end: the place behind it.
    @inline(__always)
    init(_ text: Span<UInt8>, _ start: Int, _ end: Int) {
        (keyStart, keyEnd) = (start, end)
        print = Self.print(text, start, end)
    }

    @inline(__always)
    package static func print(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> UInt64 {
        let count = end - start
        var bytes: UInt64 = 0
        if start + 8 <= text.count {
            bytes = UInt64(littleEndian: unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
            bytes &= count >= printedCount ? 0x00FF_FFFF_FFFF_FFFF : 1 << UInt64(count * 8) - 1
        } else {
            for offset in 0..<min(printedCount, count) { bytes |= UInt64(text[start + offset]) << UInt64(offset * 8) }
        }
        return bytes | UInt64(truncatingIfNeeded: count) << 56
    }

    @inline(__always)
    mutating func finish(_ start: Int, _ end: Int, isCanonical: Bool, next: Int) {
        (self.start, self.end, self.next, self.isCanonical) = (start, end, next, isCanonical)
    }

    /// The entry where the text before it and the number of entries before it have changed.
    @inline(__always)
    func moved(by shift: Int, _ count: Int) -> JSONEntry {
        var entry = self
        entry.keyStart += shift
        entry.keyEnd += shift
        entry.finish(start + shift, end + shift, isCanonical: isCanonical, next: next + count)
        return entry
    }

    /// The place of the value.
    package var range: Range<Int> { start..<end }
    /// The print, multiplied so that its highest bits differ most.
    @inline(__always)
    package var mixedPrint: UInt64 { Self.mixed(print) }

    @inline(__always)
    package static func mixed(_ print: UInt64) -> UInt64 { print &* 0x9E37_79B9_7F4A_7C15 }

    /// The last eight bytes of a longer name than its print holds; zero for a shorter one.
    package static func tail(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> UInt64 {
        guard end - start > printedCount else { return 0 }
        return unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: end - 8, as: UInt64.self)
    }

    /// The last eight bytes of its name, if the print does not hold all of it.
    package func tail(_ text: Span<UInt8>) -> UInt64 { Self.tail(text, keyStart, keyEnd) }

    @inline(__always)
    func hasSameKey(as other: JSONEntry, _ text: Span<UInt8>) -> Bool {
        guard print == other.print, keyEnd - keyStart == other.keyEnd - other.keyStart else { return false }
        var offset = Self.printedCount
        while keyStart + offset < keyEnd {
            if text[keyStart + offset] != text[other.keyStart + offset] { return false }
            offset += 1
        }
        return true
    }
}
