internal import FoundationEssentials

/// What a series is at one moment.
enum MetricValue: Sendable {
    /// A counter that counts whole things, or a gauge of whole things.
    case count(Int)
    case number(Double)
    case histogram(HistogramReading)

    /// Seconds since 1970, to the millisecond.
    static func timestamp(_ time: Date) -> MetricValue {
        .number((time.timeIntervalSince1970 * 1000).rounded() / 1000)
    }
}
