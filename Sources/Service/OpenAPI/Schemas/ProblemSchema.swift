internal import JSON

/// The schema of `ProblemDetails`.
enum ProblemSchema {
    static let name = "Problem"

    static let schema = Schema.object(
        [
            .always("type", Schema.text, "the kind of problem; `about:blank` when the status says it all"),
            .always("title", Schema.text, "the kind of problem in words"),
            .always("status", ["type": "integer", "minimum": 400, "maximum": 599], "the status of the answer"),
            .sometimes("detail", Schema.text, "what is wrong with this request"),
            .sometimes("parameter", Schema.text, "the name of the query parameter that is wrong"),
        ], "What is wrong (RFC 9457).")
}
