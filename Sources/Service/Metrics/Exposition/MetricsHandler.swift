internal import HTTPServer

/// `GET /metrics`: what was recorded and what can be told of this moment, in the form that the client likes best.
struct MetricsHandler: HTTPHandler, QueryReading {
    let registry: MetricsRegistry
    /// Tells of the graph in force.
    let collector: any MetricsCollector

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
