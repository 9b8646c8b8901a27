/// One series of a family at one moment.
struct MetricSeries: Sendable {
    let labels: [MetricLabel]
    let value: MetricValue

    /// A series with these labels, by their names.
    init(_ labels: KeyValuePairs<String, String> = [:], _ value: MetricValue) {
        self.init(labels: labels.map { MetricLabel($0.key, $0.value) }, value: value)
    }

    init(labels: [MetricLabel], value: MetricValue) {
        self.labels = labels
        self.value = value
    }
}
