/// Why an event was not written. The raw value is the metric label.
public enum AnalyticsDropReason: String, Sendable, CaseIterable {
    /// The queue was full: the writer does not keep up.
    case queueFull = "queue_full"
    /// The writer failed.
    case writeFailed = "write_failed"
    /// The sink was closed, or its closing deadline passed.
    case closed
}
