internal import Text

/// An error in the form of RFC 9457, `application/problem+json`.
public struct ProblemDetails: Sendable, Hashable {
    /// A URI that names the kind of problem; `about:blank` when the status says it all.
    public var type: String
    /// The kind of problem in words; the status's reason unless given.
    public var title: String
    /// The status of the response that carries the problem.
    public var status: HTTPStatus
    /// The fault of this request, in words for the client.
    public var detail: String?
    /// A URI that names this occurrence.
    public var instance: String?
    /// The name of the query parameter that is wrong; a member of our own, as the RFC allows.
    public var parameter: String?

    /// A problem of the given status.
    public init(
        type: String = "about:blank", title: String? = nil, status: HTTPStatus, detail: String? = nil,
        instance: String? = nil, parameter: String? = nil
    ) {
        self.type = type
        self.title = title ?? status.reason
        self.status = status
        self.detail = detail
        self.instance = instance
        self.parameter = parameter
    }

    /// The JSON object.
    public var json: String {
        var members = [
            "\"type\":\(JSONString.quoted(type))", "\"title\":\(JSONString.quoted(title))", "\"status\":\(status.code)",
        ]
        if let detail { members.append("\"detail\":\(JSONString.quoted(detail))") }
        if let instance { members.append("\"instance\":\(JSONString.quoted(instance))") }
        if let parameter { members.append("\"parameter\":\(JSONString.quoted(parameter))") }
        return "{" + members.joined(separator: ",") + "}\n"
    }

    /// The response that carries the problem, with further header fields.
    ///
    /// Not to be kept by caches, unless the given fields have a `Cache-Control` of their own.
    public func response(headers: HTTPHeaderBlock = HTTPHeaderBlock()) -> HTTPResponse {
        var all: HTTPHeaderBlock = ["Content-Type": "application/problem+json"]
        if !headers.contains("Cache-Control") { all.append(["Cache-Control": "no-store"]) }
        all.append(headers)
        return HTTPResponse(status: status, headers: all, body: HTTPBody(text: json))
    }
}

/// Lets handlers throw the problem.
extension ProblemDetails: HTTPResponseError {
    /// The problem without further fields.
    public var response: HTTPResponse { response() }
}
