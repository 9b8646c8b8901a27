internal import JSON

/// Appends members to an encoding, those that follow each other in the text at once.
struct CanonicalCopy {
    /// The part of the text that is still to be appended.
    private var start = 0
    private var end = 0
    /// Whether nothing precedes in the object or array that was opened.
    private var isFirst = true

    mutating func restart() {
        (start, end, isFirst) = (0, 0, true)
    }

    /// Appends a member as it stands in the text.
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
    mutating func append(_ text: Span<UInt8>, _ range: Range<Int>) {
        unsafe text.extracting(range).withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
