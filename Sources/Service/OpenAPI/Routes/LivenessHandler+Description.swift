extension LivenessHandler {
    /// What the route does.
    static let description = RouteDescription(
        id: "livez", summary: "Whether the process works", answers: [probed(200, "It does.")])
}

extension HealthResponding {
    /// The answer to a probe.
    static func probed(_ status: Int, _ meaning: String) -> AnswerDescription {
        AnswerDescription(
            status: status, meaning: meaning, fields: [.cacheControl],
            contents: [.init(mediaType: "text/plain", schema: Schema.text)])
    }
}
