internal import Hashing

/// Entity tags, and the comparisons that conditional requests ask for (RFC 9110, 8.8.3 and 13.1).
package enum EntityTag {
    /// The comparison of two tags.
    enum Comparison {
        /// `W/` makes no difference.
        case weak
        /// Weak tags equal no tag.
        case strong
    }

    package static func strong(for body: HTTPBody) -> String {
        "\"\(SHA256Digest(of: body.bytes).hexDigits.prefix(32))\""
    }

    /// The tag of what has this tag, in gzip.
    package static func gzipped(_ tag: String) -> String {
        "\(tag.dropLast())-gzip\""
    }

    /// Whether a header's list of tags names this tag, or the header is `*`.
    ///
    /// Most clients send back the one tag that they were given.
    static func matches(_ header: String, _ tag: String, by comparison: Comparison = .weak) -> Bool {
        if header == tag { return true }
        let list = header.utf8Span.span
        return isAnything(list) || isNamed(tag.utf8Span.span, in: list, comparison)
    }

    private static func isAnything(_ header: borrowing Span<UInt8>) -> Bool {
        let only = HeaderElements.trimmed(header, 0..<header.count)
        return only.count == 1 && header[only.lowerBound] == UInt8(ascii: "*")
    }

    private static func isNamed(
        _ tag: borrowing Span<UInt8>, in header: borrowing Span<UInt8>, _ comparison: Comparison
    ) -> Bool {
        var elements = HeaderElements()
        while let element = elements.next(in: header) {
            if isSame(header, element, tag, comparison) { return true }
        }
        return false
    }

    private static func isSame(
        _ header: borrowing Span<UInt8>, _ element: Range<Int>, _ tag: borrowing Span<UInt8>, _ comparison: Comparison
    ) -> Bool {
        let isWeak =
            element.count > 1 && header[element.lowerBound] == UInt8(ascii: "W")
            && header[element.lowerBound + 1] == UInt8(ascii: "/")
        guard !isWeak || comparison == .weak else { return false }
        let start = element.lowerBound + (isWeak ? 2 : 0)
        guard element.upperBound - start == tag.count else { return false }
        for index in 0..<tag.count where header[start + index] != tag[index] { return false }
        return true
    }
}
