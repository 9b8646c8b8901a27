/// What one series of the registry is recorded in: by any thread, without a lock and without an allocation.
protocol Instrument: AnyObject, Sendable {
    /// What is read at a scrape. Threads may record meanwhile, so it is not of one instant.
    var value: MetricValue { get }
}
