internal import HTTPServer

/// What a server counts by itself.
final class ServerCollector: MetricsCollector {
    /// Weak, because the server's own routes lead here.
    private weak let server: HTTPServer?

    init(_ server: HTTPServer) {
        self.server = server
    }

    func families() async -> [MetricFamily] {
        guard let server else { return [] }
        let connections = await server.connectionCount()
        let refusals = await server.refusalCounts()
        return [
            MetricFamily(.httpConnections, [MetricSeries([:], .count(connections))]),
            MetricFamily(
                .httpRejected,
                HTTPRefusal.allCases.map { reason in
                    MetricSeries(["reason": reason.rawValue], .count(refusals[reason, default: 0]))
                }),
            MetricFamily(
                .tlsCertificateNotAfter,
                server.certificateValidUntil.map { [MetricSeries([:], .number(Double($0)))] } ?? []),
        ]
    }
}
