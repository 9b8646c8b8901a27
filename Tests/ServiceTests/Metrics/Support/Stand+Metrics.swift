import Networking

@testable import Service

extension Stand {
    /// Everything that is exposed at this moment, read by the rules of the form.
    func metrics(_ format: MetricsFormat = .text) async throws -> ExposedMetrics {
        let accept = HTTPHeader("Accept", format == .text ? "text/plain" : "application/openmetrics-text")
        let response = try await get("/metrics", headers: [accept], admin: true)
        guard response.status == 200, response.headers["Content-Type"] == format.contentType else {
            throw NotMetrics(status: response.status, contentType: response.headers["Content-Type"])
        }
        return try ExposedMetrics(response.text, format)
    }

    private struct NotMetrics: Error {
        let status: Int
        let contentType: String?
    }
}
