/// The statuses that a probe takes for health, written `200-399` or `204`.
struct StatusRange: Sendable {
    static let all = 100...599
    let statuses: ClosedRange<Int>

    /// Nil when the text is no such range.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.count == 3 ? Int(part).flatMap { $0 < 0 ? nil : $0 } : nil }
        guard (1...2).contains(parts.count), numbers.count == parts.count, let first = numbers.first,
            let last = numbers.last, first <= last, Self.all.contains(first), Self.all.contains(last)
        else { return nil }
        statuses = first...last
    }
}
