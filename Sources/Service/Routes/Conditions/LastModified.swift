internal import FoundationEssentials

/// When a representation changed last, as far as headers can say it: to the second.
struct LastModified: Sendable, Equatable {
    /// Whole seconds since 1970.
    let seconds: Int
    private let text: String

    init(_ date: Date) {
        seconds = Int(date.timeIntervalSince1970.rounded(.down))
        text = HTTPDate.text(date)
    }

    /// The value of the header `Last-Modified` at a moment, never a later one (RFC 9110, 8.8.2.1).
    func text(at now: Date) -> String {
        Double(seconds) > now.timeIntervalSince1970 ? HTTPDate.text(now) : text
    }
}
