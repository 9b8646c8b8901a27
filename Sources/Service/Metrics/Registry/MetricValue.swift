/// What a series is at one moment.
enum MetricValue: Sendable {
    /// A counter that counts whole things, or a gauge of whole things.
    case count(Int)
    case number(Double)
    case histogram(HistogramReading)
}
