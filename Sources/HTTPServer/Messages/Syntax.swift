internal import Text

/// The rules of RFC 9110's grammar that this target uses.
enum HTTPSyntax {
    private static let reserved = ["date", "content-length", "transfer-encoding", "connection"]

    static func isReservedField(_ name: String) -> Bool {
        reserved.contains { isSameName($0.utf8, name.utf8) }
    }

    /// Whether two names are equal, ignoring the case of ASCII letters.
    static func isSameName(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy(isSameLetter)
    }

    @inline(__always)
    static func isSameLetter(_ left: UInt8, _ right: UInt8) -> Bool {
        left == right || (left ^ right == 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(left | 0x20))
    }
}

/// Iterates over the elements of a list in a header's value (RFC 9110, 5.6.1): the parts between commas, without
/// surrounding blanks. Skips empty elements.
struct HeaderElements {
    /// The limit for lists of preferences, in bytes: several times what any client sends.
    static let mostPreferences = 512
    /// The limit for lists of entity tags, in bytes: some fifty tags.
    static let mostTags = 2048

    private let limit: Int
    private var start = 0

    /// - Parameter limit: the bytes to read; an element that crosses the limit is left out, with all after it.
    init(limit: Int = .max) {
        self.limit = limit
    }

    /// The range of the next element; nil after the last.
    mutating func next(in header: borrowing Span<UInt8>) -> Range<Int>? {
        let count = min(header.count, limit)
        while start < count {
            var end = start
            while end < count, header[end] != UInt8(ascii: ",") { end += 1 }
            if end == count, count < header.count { return nil }
            let element = Self.trimmed(header, start..<end)
            start = end + 1
            if !element.isEmpty { return element }
        }
        return nil
    }

    /// A range without the blanks at its ends.
    static func trimmed(_ header: borrowing Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isBlank(header[start]) { start += 1 }
        while start < end, isBlank(header[end - 1]) { end -= 1 }
        return start..<end
    }

    /// Whether a range of a header equals a text in lower case, whatever the case of the header.
    static func isSame(_ header: borrowing Span<UInt8>, _ range: Range<Int>, _ text: String) -> Bool {
        guard range.count == text.utf8.count else { return false }
        var index = range.lowerBound
        for byte in text.utf8 {
            guard header[index].lowercased == byte else { return false }
            index += 1
        }
        return true
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
