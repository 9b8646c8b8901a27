/// The content codings that a client accepts, with their weights (RFC 9110, 12.5.3).
///
/// An element that the RFC does not allow is ignored. Of several with one name the greatest weight counts.
package struct AcceptedCodings: Sendable {
    /// The best coding for a client.
    package enum Choice: Sendable, Hashable {
        /// The bytes as they are.
        case identity
        /// Gzip; or the bytes as they are, if that is no longer and the client has not excluded it.
        case gzip(orIdentity: Bool)
        /// No available coding.
        case nothing
    }

    /// In thousandths; nil for what is not named.
    private var gzip: Int?
    private var identity: Int?
    private var others: Int?

    /// - Parameter header: the value of `Accept-Encoding`; nil leaves the choice to the server, which then codes nothing.
    package init(_ header: String?) {
        guard let header else { return }
        let list = header.utf8Span.span
        var elements = HeaderElements()
        while let element = elements.next(in: list) { note(element, in: list) }
    }

    /// The best coding; of equal weights, the shorter result.
    package var choice: Choice {
        let gzip = gzip ?? others ?? 0
        let isIdentityAcceptable = (identity ?? others ?? 1) > 0
        if gzip > 0, gzip >= identity ?? others ?? 0 { return .gzip(orIdentity: isIdentityAcceptable) }
        return isIdentityAcceptable ? .identity : .nothing
    }

    private mutating func note(_ element: Range<Int>, in header: borrowing Span<UInt8>) {
        var end = element.lowerBound
        while end < element.upperBound, header[end] != UInt8(ascii: ";") { end += 1 }
        let name = HeaderElements.trimmed(header, element.lowerBound..<end)
        guard let weight = QualityValue.weight(after: end, in: header, until: element.upperBound) else { return }
        if Self.isSame(header, name, "gzip") || Self.isSame(header, name, "x-gzip") {
            gzip = max(gzip ?? 0, weight)
        } else if Self.isSame(header, name, "identity") {
            identity = max(identity ?? 0, weight)
        } else if Self.isSame(header, name, "*") {
            others = max(others ?? 0, weight)
        }
    }

    /// Whether a name is this one, whatever its case.
    private static func isSame(_ header: borrowing Span<UInt8>, _ name: Range<Int>, _ wanted: StaticString) -> Bool {
        let wanted = wanted.description.utf8
        guard name.count == wanted.count else { return false }
        var index = name.lowerBound
        for byte in wanted {
            let found = header[index]
            let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(found)
            guard (isUpper ? found | 0x20 : found) == byte else { return false }
            index += 1
        }
        return true
    }
}

/// The content coding of a response (RFC 9110, 8.4.1).
package enum ContentCoding: Sendable, Hashable {
    /// No coding.
    case identity
    /// In the gzip format.
    case gzip
}

/// Weights, as headers of negotiation give them: `;q=0.5` (RFC 9110, 12.4.2).
enum QualityValue {
    /// The weight in thousandths of a text; nil when it is no weight.
    static func thousandths(_ text: String) -> Int? {
        thousandths(text.utf8Span.span, 0..<text.utf8.count)
    }

    /// The weight in thousandths of what stands between two places of a header, 1000 where nothing does; nil when it is
    /// no weight.
    static func weight(after start: Int, in header: borrowing Span<UInt8>, until end: Int) -> Int? {
        guard start < end else { return 1000 }
        let value = HeaderElements.trimmed(header, (start + 1)..<end)
        guard value.count >= 3, header[value.lowerBound] | 0x20 == UInt8(ascii: "q"),
            header[value.lowerBound + 1] == UInt8(ascii: "=")
        else { return nil }
        return thousandths(header, (value.lowerBound + 2)..<value.upperBound)
    }

    /// A weight from `0` to `1.000`, with at most three digits after the point.
    private static func thousandths(_ header: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
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

/// The media types that a client accepts (RFC 9110, 12.5.1). An element that the RFC does not allow is ignored.
package struct AcceptedTypes: Sendable {
    private let ranges: [MediaRange]

    /// - Parameter header: the value of `Accept`; nil without one.
    package init(_ header: String?) {
        ranges = (header ?? "").split(separator: ",").compactMap(MediaRange.init)
    }

    /// The weight of the most exact of the ranges that apply, in thousandths; 0 where none does.
    package func weight(where applies: (MediaRange) -> Bool) -> Int {
        ranges.filter(applies).max { $0.exactness < $1.exactness }?.weight ?? 0
    }
}

/// One element of an `Accept` header: a type or a range of types, and its weight.
package struct MediaRange: Sendable {
    /// In lower case: `text/plain`, `text/*`, `*/*`.
    package let type: String
    /// The version of the type that is meant; nil for any.
    package let version: String?
    /// In thousandths.
    package let weight: Int

    /// - Returns: nil for what is no media range, or has a weight that is none.
    package init?(_ element: Substring) {
        let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
        guard let type = parts.first?.lowercased(), type.split(separator: "/").count == 2 else { return nil }
        let parameters = parts.dropFirst().reduce(into: [String: String]()) { parameters, part in
            let halves = part.split(separator: "=", maxSplits: 1).map(String.init)
            if halves.count == 2 { parameters[halves[0].lowercased()] = halves[1] }
        }
        guard let weight = QualityValue.thousandths(parameters["q"] ?? "1") else { return nil }
        self.type = type
        version = parameters["version"]
        self.weight = weight
    }

    /// The specificity of the range, compared with other ranges.
    package var exactness: Int {
        if type == "*/*" { return 0 }
        return type.hasSuffix("/*") ? 1 : version == nil ? 2 : 3
    }
}
