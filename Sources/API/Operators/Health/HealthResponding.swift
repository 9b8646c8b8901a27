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

/// In what form a probe is answered.
enum HealthForm: Sendable {
    case text
    case json

    /// The form that a client likes best, by its `Accept` (RFC 9110, 12.5.1). JSON is for who names it, or its kind,
    /// and likes it at least as much as text; who accepts neither gets text.
    ///
    /// - Parameter header: the value of `Accept`; nil without one.
    static func best(_ header: String?) -> HealthForm {
        let accepted = AcceptedTypes(header)
        let json = accepted.weight { ["application/health+json", "application/*"].contains($0.type) }
        let text = accepted.weight { ["text/plain", "text/*", "*/*"].contains($0.type) }
        return json > 0 && json >= text ? .json : .text
    }

    /// The fields of every answer in this form.
    var headers: HTTPHeaderBlock {
        switch self {
        case .text:
            [
                "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", "Vary": "Accept",
                "X-Content-Type-Options": "nosniff",
            ]
        case .json: ["Content-Type": "application/health+json", "Cache-Control": "no-store", "Vary": "Accept"]
        }
    }
}

/// The query of a probe. Unknown parameters are ignored, as by the Kubernetes API server.
struct HealthQuery: Sendable {
    /// Whether to list the checks, which `verbose` says with whatever value.
    let isVerbose: Bool
    /// The checks to leave out.
    let excluded: [String]

    /// - Throws: `HTTPRequestError` when the query cannot be decoded.
    init(_ request: HTTPRequest) throws(HTTPRequestError) {
        guard request.rawQuery != nil else {
            (isVerbose, excluded) = (false, [])
            return
        }
        let items = try request.queryItems
        isVerbose = items.contains { $0.name == "verbose" }
        excluded = items.filter { $0.name == "exclude" }.compactMap(\.value)
    }
}

extension HealthResponding {
    /// The parameters of a probe.
    ///
    /// - Parameter check: the name of one of its checks.
    static func probeParameters(excluding check: String) -> [ParameterDescription] {
        [
            ParameterDescription(
                name: "verbose", place: .query, meaning: "Lists the checks, whatever its value.", schema: Schema.text,
                example: "", isEmptyAllowed: true),
            ParameterDescription(
                name: "exclude", place: .query, meaning: "Leaves out the checks of these names.",
                schema: Schema.list(of: Schema.text), example: .array([.string(check)]), isRepeated: true),
        ]
    }

    /// The answer to a probe.
    static func probed(_ status: Int, _ meaning: String) -> ResponseDescription {
        ResponseDescription(
            status: status, meaning: meaning, fields: [.cacheControl, .vary], possibleFields: [.contentTypeOptions],
            contents: [
                .init(mediaType: "text/plain", schema: Schema.text),
                .init(mediaType: "application/health+json", schema: Schema.named(HealthSchema.name)),
            ])
    }

    /// The answer to a query that cannot be read.
    static var malformedProbe: ResponseDescription { .problem(400, "The query is not properly percent-encoded.") }
}
