internal import HTTPServer
package import Prometheus

/// `GET /metrics`: what was recorded and what can be told of this moment, in the form that the client likes best.
package struct MetricsHandler: HTTPHandler, QueryReading {
    let registry: MetricsRegistry
    /// Tells of the graph in force.
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

    /// Made off the loop: there is a disk to be looked at, and a text to be written.
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
    /// The format to answer with. Clients that accept neither get the older one: a scraper that asks for another one
    /// still reads it, and so does a person at a terminal.
    ///
    /// - Parameter header: the value of `Accept`; nil without one.
    static func best(_ header: String?) -> MetricsFormat {
        let accepted = AcceptedTypes(header)
        let weights = MetricsFormat.allCases.map { format in
            (format: format, weight: accepted.weight { includes($0, format) })
        }
        let best = weights.map(\.weight).max() ?? 0
        guard best > 0 else { return .text }
        return weights.last { $0.weight == best }?.format ?? .text
    }

    /// Whether a range applies to a format; to OpenMetrics only by its name.
    private static func includes(_ range: MediaRange, _ format: MetricsFormat) -> Bool {
        switch format {
        case .text: ["text/plain", "text/*", "*/*"].contains(range.type) && (range.version ?? "0.0.4") == "0.0.4"
        case .openMetrics: range.type == "application/openmetrics-text" && (range.version ?? "1.0.0") == "1.0.0"
        }
    }
}

extension MediaRange {
    /// Whether the range includes the format. OpenMetrics is included only where it is named.
    fileprivate func includes(_ format: MetricsFormat) -> Bool {
        switch format {
        case .text: ["text/plain", "text/*", "*/*"].contains(type) && (version ?? "0.0.4") == "0.0.4"
        case .openMetrics: type == "application/openmetrics-text" && (version ?? "1.0.0") == "1.0.0"
        }
    }
}
