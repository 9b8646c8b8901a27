/// Why a log line was lost. The raw value is a metric's label.
enum LogLossReason: String, Sendable, Hashable, CaseIterable {
    /// Too much waited already for a reader that is slow, or gone.
    case full
    /// The system did not take it.
    case unwritable
}
