internal import HTTPServer
package import Prometheus

/// `GET /metrics`: all metrics in the format that the client prefers.
package struct MetricsHandler: HTTPHandler, QueryReading {
    let registry: MetricsRegistry
    /// Reads the metrics of the graph in force.
    let collector: any MetricsCollector

    package init(registry: MetricsRegistry, collector: any MetricsCollector) {
        self.registry = registry
        self.collector = collector
    }

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        _ = try query(of: request, taking: [])
        let format = AcceptedMetrics.best(request.header("Accept"))
        return .pending { try await response(in: format) }
    }

    /// Leaves the loop, because collectors look at a disk and the text is long.
    private func response(in format: MetricsFormat) async throws -> HTTPResponse {
        let text = await withTaskExecutorPreference(globalConcurrentExecutor) {
            MetricsWriter.text(of: await registry.families(with: [collector]), in: format)
        }
        var headers: HTTPHeaderBlock = ["Cache-Control": "no-store", "Vary": "Accept"]
        try headers.append("Content-Type", format.contentType)
        return HTTPResponse(status: .ok, headers: headers, body: HTTPBody(text: text))
    }
}

/// Chooses the format of metrics that a client prefers, by its `Accept` (RFC 9110, 12.5.1).
enum AcceptedMetrics {
    /// The format for an `Accept`; nil without one. Clients that accept neither get the older format, which scrapers and
    /// people at a terminal can read.
    static func best(_ header: String?) -> MetricsFormat {
        let accepted = AcceptedTypes(header)
        let weights = MetricsFormat.allCases.map { (format: $0, weight: weight(of: $0, accepted)) }
        let best = weights.map(\.weight).max() ?? 0
        guard best > 0 else { return .text }
        return weights.last { $0.weight == best }?.format ?? .text
    }

    /// The weight of a format; OpenMetrics has to be named.
    private static func weight(of format: MetricsFormat, _ accepted: AcceptedTypes) -> Int {
        switch format {
        case .text: accepted.weight(of: ["text/plain", "text/*", "*/*"], version: "0.0.4")
        case .openMetrics: accepted.weight(of: ["application/openmetrics-text"], version: "1.0.0")
        }
    }
}
