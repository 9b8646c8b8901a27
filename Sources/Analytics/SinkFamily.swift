public import Configuration

/// The `analytics:` section: named places where events go.
public enum SinkFamily: ComponentFamily {
    /// A sink.
    public typealias Instance = any AnalyticsSink
    /// `sink`.
    public static let noun = "sink"
    /// `analytics`.
    public static let section = "analytics"

    /// Every sink a config file can name.
    public static let specs: [ComponentSpec<SinkFamily>] = [FileAnalyticsWriter.spec, LogAnalyticsWriter.spec]

    /// How long a sink may take to write what waits when the service stops.
    static let closingDeadline: Duration = .seconds(2)
}
