/// What is written: stores, analytics and the log.
extension MetricDescription {
    static let storeGenerations = MetricDescription(
        "larder_store_generations", .gauge, "Generations of the catalogue that the store holds.")
    static let storeFailures = MetricDescription(
        "larder_store_failures", .counter,
        "Saves that failed or took over a second, and generations that could not be loaded, by reason.")
    static let storeSaving = MetricDescription(
        "larder_store_saving_seconds", .gauge, "For how long the save that runs has been running; 0 without one.")
    static let analyticsEvents = MetricDescription(
        "larder_analytics_events", .counter, "Events that reached their destination, by their names.")
    static let analyticsDropped = MetricDescription(
        "larder_analytics_dropped", .counter, "Events that were lost, by reason.")
    static let logDropped = MetricDescription(
        "larder_log_dropped", .counter, "Lines of the log that were lost, by reason.")
    static let analyticsQueued = MetricDescription(
        "larder_analytics_queued", .gauge, "Events that wait in the queue of the sink.")
    static let analyticsBacklogBytes = MetricDescription(
        "larder_analytics_backlog_bytes", .gauge, "What could not be delivered and waits for another try.")
}
