/// One dimension of a series, as it is exposed.
struct MetricLabel: Sendable, Hashable {
    let name: String
    let value: String

    /// - Parameter name: what the format does not allow in it becomes an underscore.
    init(_ name: String, _ value: String) {
        self.name = MetricName.label(name)
        self.value = value
    }
}
