internal import FoundationEssentials
internal import HTTPServer
internal import JSON

/// Answers probes: short texts, or JSON for who prefers it, that nobody may keep.
protocol HealthResponding: Sendable {}

extension HealthResponding {
    /// 200 while none of the checks fails, or 503, in the form that the request asks for.
    ///
    /// - Parameter name: the probe's own name.
    /// - Throws: `HTTPRequestError` when the query cannot be decoded.
    func health(
        _ name: String, at time: Date, _ checks: [HealthCheck], for request: HTTPRequest
    ) throws(HTTPRequestError) -> HTTPResponse {
        let query = try HealthQuery(request)
        let report = HealthReport(name, at: time, checks, excluding: query.excluded)
        let form = HealthForm.best(request.header("Accept"))
        let body =
            switch form {
            case .text: HTTPBody(text: query.isVerbose ? report.verboseText : report.text)
            case .json: HTTPBody(bytes: JSONValue.object(report.json).encoded())
            }
        return HTTPResponse(
            status: report.status == .fail ? .serviceUnavailable : .ok, headers: form.headers, body: body)
    }
}
