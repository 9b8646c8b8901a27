/// A form in which metrics are exposed.
enum MetricsFormat: Sendable, Hashable, CaseIterable {
    /// That of Prometheus.
    case text
    /// That of OpenMetrics, without exemplars.
    case openMetrics

    var contentType: String {
        switch self {
        case .text: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }
}
