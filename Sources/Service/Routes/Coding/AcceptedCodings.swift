/// Which of the content codings that there are here a client accepts, and how much it likes them (RFC 9110, 12.5.3).
///
/// An element that is not what the RFC allows counts as not there. Of several with one name the best counts.
struct AcceptedCodings: Sendable {
    /// What a client is best sent.
    enum Choice: Sendable, Hashable {
        /// The bytes as they are.
        case identity
        /// Gzip; or the bytes as they are, if that is no longer and the client has not excluded it.
        case gzip(orIdentity: Bool)
        /// Nothing that there is here.
        case nothing
    }

    /// In thousandths; nil for what is not named.
    private var gzip: Int?
    private var identity: Int?
    private var others: Int?

    /// - Parameter header: the value of `Accept-Encoding`; nil leaves the choice to the server, which then codes nothing.
    init(_ header: String?) {
        guard let header else { return }
        let list = header.utf8Span.span
        var elements = HeaderElements()
        while let element = elements.next(in: list) { note(element, in: list) }
    }

    /// What is best sent. Of codings that are liked equally it is the shorter one.
    var choice: Choice {
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
