public import Configuration

/// The `analytics:` section: named places where events go.
public enum SinkFamily: ComponentFamily {
    /// A sink.
    public typealias Instance = any AnalyticsSink
    /// `sink`.
    public static let noun = "sink"
    /// `analytics`.
    public static let section = "analytics"
    /// Events that wait are written by the sink that took them.
    public static let isTakenOver = true

    /// Every sink a config file can name.
    public static let specs: [ComponentSpec<SinkFamily>] = [
        FileAnalyticsWriter.spec, LogAnalyticsWriter.spec, GoogleAnalyticsWriter.spec, TeeAnalyticsSink.spec,
    ]

    /// How long a sink may take to write what waits when the service stops.
    static let closingDeadline: Duration = .seconds(2)

    /// In a dry run, one that drops all events.
    public static func standIn(in assembly: Assembly) -> (any AnalyticsSink)? {
        assembly.optionalResource(DryRun.self).map { _ in TeeAnalyticsSink(sinks: []) }
    }

    /// Used as it was made.
    public static func adopt(_ instance: any AnalyticsSink, as outline: ComponentOutline, in assembly: Assembly)
        -> any AnalyticsSink
    {
        instance
    }
}
