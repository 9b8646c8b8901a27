import FoundationEssentials

/// A moment as RFC 3339 text in UTC with milliseconds, `2026-01-31T12:00:00.123Z`.
struct Timestamp: Sendable, Hashable {
    /// The text.
    let text: String
    /// The moment, to the millisecond.
    let date: Date

    /// The millisecond nearest to a moment.
    init(_ moment: Date) {
        let milliseconds = Int64((moment.timeIntervalSince1970 * 1000).rounded())
        let fraction = (milliseconds % 1000 + 1000) % 1000
        let seconds = (milliseconds - fraction) / 1000
        let whole = Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
        text = "\(whole.dropLast()).\(Padding.zeros(fraction, width: 3))Z"
        date = Self.date(seconds: seconds, milliseconds: fraction)
    }

    /// The moment of a text; nil when it has any other form.
    init?(text: String) {
        guard text.utf8.count == 24, text.hasSuffix("Z"), text.dropLast(4).hasSuffix("."),
            let fraction = Int64(text.dropLast().suffix(3)), fraction >= 0,
            let whole = try? Date("\(text.dropLast(5))Z", strategy: .iso8601)
        else { return nil }
        self.text = text
        date = Self.date(seconds: Int64(whole.timeIntervalSince1970), milliseconds: fraction)
    }

    private static func date(seconds: Int64, milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: TimeInterval(seconds * 1000 + milliseconds) / 1000)
    }
}
