/// A writer that keeps what it could not deliver.
protocol BacklogReporting: Sendable {
    /// How many bytes wait for another try.
    var backlogBytes: Int { get }
}
