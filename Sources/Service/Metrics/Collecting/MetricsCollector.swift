/// Tells at a scrape what is known anyway, so that nobody has to keep a gauge up to date.
protocol MetricsCollector: Sendable {
    /// What it knows at this moment. Called for one scrape, or several at once; it may wait for a disk or a loop, but
    /// not for an upstream.
    func families() async -> [MetricFamily]
}
