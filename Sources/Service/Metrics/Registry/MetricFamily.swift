/// All series of one name at one moment.
struct MetricFamily: Sendable {
    /// What all of them are.
    let description: MetricDescription
    /// Each with labels of its own: of two that could not be told apart nobody would read either.
    let series: [MetricSeries]

    init(_ description: MetricDescription, _ series: [MetricSeries]) {
        self.description = description
        var seen: Set<[MetricLabel]> = []
        self.series = series.filter { seen.insert($0.labels).inserted }
    }
}
