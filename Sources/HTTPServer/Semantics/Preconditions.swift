package import FoundationEssentials
internal import Hashing
internal import Text

/// The conditions of a request for reading, in the order of their precedence (RFC 9110, 13.2.2).
package enum Preconditions {
    /// The consequence for the request.
    package enum Outcome: Sendable, Hashable {
        /// Respond as without conditions.
        case met
        /// The client has the representation already: 304.
        case notModified
        /// The client requires a representation other than the current one: 412.
        case failed
    }

    /// Evaluates the conditions of a request.
    ///
    /// A date that cannot be parsed is ignored, and dates are ignored next to tags.
    ///
    /// - Parameters:
    ///   - entityTag: the tag of the representation that the request selects.
    ///   - now: resolves years of two digits; evaluated only for dates.
    package static func outcome(
        of request: HTTPRequest, entityTag: String, lastModified: LastModified, now: @autoclosure () -> Date
    ) -> Outcome {
        guard request.isConditional else { return .met }
        func date(_ name: String) -> Int? { request.header(name).flatMap { HTTPDate.seconds(of: $0, now: now()) } }
        if let wanted = request.header("If-Match", reading: HeaderElements.mostTags) {
            guard EntityTag.matches(wanted, entityTag, by: .strong) else { return .failed }
        } else if let limit = date("If-Unmodified-Since"), lastModified.seconds > limit {
            return .failed
        }
        if let known = request.header("If-None-Match", reading: HeaderElements.mostTags) {
            return EntityTag.matches(known, entityTag) ? .notModified : .met
        }
        guard let known = date("If-Modified-Since") else { return .met }
        return lastModified.seconds <= known ? .notModified : .met
    }
}

/// The last change of a representation, in the precision of headers: seconds.
package struct LastModified: Sendable, Equatable {
    /// Whole seconds since 1970.
    package let seconds: Int
    private let text: String

    package init(_ date: Date) {
        seconds = Int(date.timeIntervalSince1970.rounded(.down))
        text = HTTPDate.text(date)
    }

    /// The value of `Last-Modified`, never later than `now` (RFC 9110, 8.8.2.1).
    package func text(at now: Date) -> String {
        Double(seconds) > now.timeIntervalSince1970 ? HTTPDate.text(now) : text
    }
}

/// Entity tags, and their comparisons in conditional requests (RFC 9110, 8.8.3 and 13.1).
package enum EntityTag {
    /// The comparison of two tags.
    enum Comparison {
        /// `W/` is ignored.
        case weak
        /// Weak tags match nothing.
        case strong
    }

    package static func strong(for body: HTTPBody) -> String {
        "\"\(SHA256Digest(of: body.bytes).hexDigits.prefix(32))\""
    }

    /// The tag of a representation in a language.
    package static func localized(_ tag: String, in language: String) -> String {
        "\(tag.dropLast()).\(language)\""
    }

    /// The tag of the gzip form of a representation with this tag.
    package static func gzipped(_ tag: String) -> String {
        "\(tag.dropLast())-gzip\""
    }

    /// Whether the first 2 KiB of a header's list include this tag, or the header is `*`.
    ///
    /// Most clients send the one tag that they have received.
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
        var elements = HeaderElements(limit: HeaderElements.mostTags)
        while let element = elements.next(in: header) {
            if isSame(header, element, tag, comparison) { return true }
        }
        return false
    }

    private static func isSame(
        _ header: borrowing Span<UInt8>, _ element: Range<Int>, _ tag: borrowing Span<UInt8>, _ comparison: Comparison
    ) -> Bool {
        guard element.count >= tag.count else { return false }
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
