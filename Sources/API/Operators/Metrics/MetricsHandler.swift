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

/// Which form of metrics a client likes best, by its `Accept` (RFC 9110, 12.5.1).
enum AcceptedMetrics {
    /// The form to answer with. It is the older one for who accepts neither: a scraper that asks for what is not there
    /// still reads that, and a person at a terminal anyway.
    ///
    /// - Parameter header: the value of `Accept`; nil without one.
    static func best(_ header: String?) -> MetricsFormat {
        let ranges = (header ?? "").split(separator: ",").compactMap(MediaRange.init)
        let weights = MetricsFormat.allCases.map { (format: $0, weight: weight(of: $0, in: ranges)) }
        let best = weights.map(\.weight).max() ?? 0
        guard best > 0 else { return .text }
        return weights.last { $0.weight == best }?.format ?? .text
    }

    /// What the most exact range that takes in the form gives it, in thousandths. OpenMetrics is for who names it.
    private static func weight(of format: MetricsFormat, in ranges: [MediaRange]) -> Int {
        let matching = ranges.filter { $0.includes(format) }
        return matching.max { $0.exactness < $1.exactness }?.weight ?? 0
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
