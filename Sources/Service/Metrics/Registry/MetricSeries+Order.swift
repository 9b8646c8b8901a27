extension MetricSeries {
    /// Whether it comes first among the series of its family.
    func isBefore(_ other: MetricSeries) -> Bool {
        labels.lexicographicallyPrecedes(other.labels) { ($0.name, $0.value) < ($1.name, $1.value) }
    }
}
