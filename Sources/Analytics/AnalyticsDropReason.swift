/// Why an event was lost. The raw value is the metric label.
public enum AnalyticsDropReason: String, Sendable, CaseIterable {
    /// The queue was full: the writer does not keep up.
    case queueFull = "queue_full"
    /// The writer failed.
    case writeFailed = "write_failed"
    /// There was no room on the disk.
    case diskFull = "disk_full"
    /// The sink was closed, or its closing deadline passed.
    case closed
    /// The event is not of a form that the receiver takes, or could not be read back from the spool.
    case invalid
    /// The event alone is larger than the receiver takes.
    case tooLarge = "too_large"
    /// The receiver said no, and would say it again.
    case refused
    /// The event waited for so long that the receiver takes it no more.
    case expired
    /// As many events as may wait for delivery waited already.
    case backlogFull = "backlog_full"
}
