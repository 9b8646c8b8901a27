internal import Text

/// The content codings that a client accepts, with their weights (RFC 9110, 12.5.3).
///
/// An invalid element is ignored, and so is everything after the first 512 bytes. Of several weights for one name the
/// greatest counts.
package struct AcceptedCodings: Sendable {
    /// The best coding for a client.
    package enum Choice: Sendable, Hashable {
        /// The bytes as they are.
        case identity
        /// Gzip; or the bytes as they are, if that is not longer and the client has not excluded it.
        case gzip(orIdentity: Bool)
        /// No available coding.
        case nothing
    }

    /// In thousandths; nil if not named.
    private var gzip: Int?
    private var identity: Int?
    private var others: Int?

    /// - Parameter header: the value of `Accept-Encoding`; nil leaves the choice to the server, which then uses no
    ///   coding.
    package init(_ header: String?) {
        guard let header else { return }
        let list = header.utf8Span.span
        var elements = HeaderElements(limit: HeaderElements.mostPreferences)
        while let element = elements.next(in: list) { add(element, in: list) }
    }

    /// The best coding; of equal weights, the shorter result.
    package var choice: Choice {
        let gzip = gzip ?? others ?? 0
        let isIdentityAcceptable = (identity ?? others ?? 1) > 0
        if gzip > 0, gzip >= identity ?? others ?? 0 { return .gzip(orIdentity: isIdentityAcceptable) }
        return isIdentityAcceptable ? .identity : .nothing
    }

    private mutating func add(_ element: Range<Int>, in header: borrowing Span<UInt8>) {
        var end = element.lowerBound
        while end < element.upperBound, header[end] != UInt8(ascii: ";") { end += 1 }
        let name = HeaderElements.trimmed(header, element.lowerBound..<end)
        guard let weight = QualityValue.weight(after: end, in: header, until: element.upperBound) else { return }
        if HeaderElements.isSame(header, name, "gzip") || HeaderElements.isSame(header, name, "x-gzip") {
            gzip = max(gzip ?? 0, weight)
        } else if HeaderElements.isSame(header, name, "identity") {
            identity = max(identity ?? 0, weight)
        } else if HeaderElements.isSame(header, name, "*") {
            others = max(others ?? 0, weight)
        }
    }
}

/// The content coding of a response (RFC 9110, 8.4.1).
package enum ContentCoding: Sendable, Hashable {
    /// No coding.
    case identity
    /// In the gzip format.
    case gzip
}

/// Weights in headers of negotiation: `;q=0.5` (RFC 9110, 12.4.2).
enum QualityValue {
    /// The weight between two places of a header, in thousandths; 1000 if there is none, nil if it is invalid.
    static func weight(after start: Int, in header: borrowing Span<UInt8>, until end: Int) -> Int? {
        guard start < end else { return 1000 }
        let value = HeaderElements.trimmed(header, (start + 1)..<end)
        guard value.count >= 3, header[value.lowerBound] | 0x20 == UInt8(ascii: "q"),
            header[value.lowerBound + 1] == UInt8(ascii: "=")
        else { return nil }
        return thousandths(header, (value.lowerBound + 2)..<value.upperBound)
    }

    /// A weight from `0` to `1.000`, with at most three digits after the point.
    static func thousandths(_ header: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard (1...5).contains(range.count), let whole = digit(header[range.lowerBound]), whole <= 1 else { return nil }
        var (value, place) = (whole * 1000, 100)
        for index in range.dropFirst() {
            if index == range.lowerBound + 1 {
                guard header[index] == UInt8(ascii: ".") else { return nil }
                continue
            }
            guard let digit = digit(header[index]) else { return nil }
            value += digit * place
            place /= 10
        }
        return value <= 1000 ? value : nil
    }

    private static func digit(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
    }
}

/// The languages that a client prefers (RFC 9110, 12.5.4). An invalid element is ignored, as are `*`, which names none, a
/// range of more than 35 bytes, and everything after the first 512 bytes.
package struct AcceptedLanguages: Sendable {
    /// The longest range that is read: no registered language needs more.
    private static let longest = 35
    /// The ranges by falling weight.
    private var wanted: [(range: String, weight: Int)] = []
    private var refused: [String] = []

    /// - Parameter header: the value of `Accept-Language`.
    package init(_ header: String) {
        let list = header.utf8Span.span
        var elements = HeaderElements(limit: HeaderElements.mostPreferences)
        while let element = elements.next(in: list) { add(element, in: list) }
    }

    /// Returns the language that a lookup (RFC 4647, 3.4) finds among those that there are; nil if the client names none of them.
    package func choice(of languages: [String]) -> String? {
        let left = languages.filter { language in !refused.contains { LanguageRanges.areSame($0, language) } }
        return LanguageRanges(wanted.map(\.range))?.first(of: left) { $0 }
    }

    private mutating func add(_ element: Range<Int>, in header: borrowing Span<UInt8>) {
        var end = element.lowerBound
        while end < element.upperBound, header[end] != UInt8(ascii: ";") { end += 1 }
        let name = HeaderElements.trimmed(header, element.lowerBound..<end)
        guard name.count <= Self.longest,
            let weight = QualityValue.weight(after: end, in: header, until: element.upperBound)
        else { return }
        let range = String(decoding: name.map { header[$0] }, as: UTF8.self)
        guard LanguageRanges.isTag(range) else { return }
        guard weight > 0 else { return refused.append(range) }
        wanted.insert((range, weight), at: wanted.firstIndex { $0.weight < weight } ?? wanted.endIndex)
    }
}

/// The media types that a client accepts (RFC 9110, 12.5.1). An invalid element is ignored, and so is everything after
/// the first 512 bytes.
///
/// Reads the header as bytes, once per call and without a copy: its length is up to the client, and probes are handled
/// on the loops.
package struct AcceptedTypes: Sendable {
    private let header: String

    /// - Parameter header: the value of `Accept`; nil without one.
    package init(_ header: String?) {
        self.header = header ?? ""
    }

    /// The weight, in thousandths, of the most specific of the given ranges that the client names; 0 if it names none.
    ///
    /// - Parameter ranges: in lower case: `text/plain`, `text/*`, `*/*`.
    package func weight(of ranges: [String]) -> Int {
        let list = header.utf8Span.span
        var elements = HeaderElements(limit: HeaderElements.mostPreferences)
        var best: (exactness: Int, weight: Int)?
        while let element = elements.next(in: list) {
            var end = element.lowerBound
            while end < element.upperBound, list[end] != UInt8(ascii: ";") { end += 1 }
            let name = HeaderElements.trimmed(list, element.lowerBound..<end)
            for range in ranges where HeaderElements.isSame(list, name, range) {
                guard let weight = Self.weight(after: end, in: list, until: element.upperBound) else { break }
                let exactness = range == "*/*" ? 0 : range.hasSuffix("/*") ? 1 : 2
                if exactness > best?.exactness ?? -1 { best = (exactness, weight) }
                break
            }
        }
        return best?.weight ?? 0
    }

    /// The weight among the parameters of a media range, in thousandths; nil if invalid.
    private static func weight(after start: Int, in header: borrowing Span<UInt8>, until end: Int) -> Int? {
        var (weight, place) = (1000, start)
        while place < end {
            let first = place + 1
            place = first
            while place < end, header[place] != UInt8(ascii: ";") { place += 1 }
            var middle = first
            while middle < place, header[middle] != UInt8(ascii: "=") { middle += 1 }
            guard middle < place else { continue }
            let name = HeaderElements.trimmed(header, first..<middle)
            let value = Self.unquoted(header, HeaderElements.trimmed(header, (middle + 1)..<place))
            guard HeaderElements.isSame(header, name, "q") else { continue }
            guard let found = QualityValue.thousandths(header, value) else { return nil }
            weight = found
        }
        return weight
    }

    private static func unquoted(_ header: borrowing Span<UInt8>, _ value: Range<Int>) -> Range<Int> {
        let quote = UInt8(ascii: "\"")
        guard value.count >= 2, header[value.lowerBound] == quote, header[value.upperBound - 1] == quote else {
            return value
        }
        return (value.lowerBound + 1)..<(value.upperBound - 1)
    }
}
