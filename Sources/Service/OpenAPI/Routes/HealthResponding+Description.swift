internal import JSON

extension HealthResponding {
    /// What can be asked of a probe.
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
    static func probed(_ status: Int, _ meaning: String) -> AnswerDescription {
        AnswerDescription(
            status: status, meaning: meaning, fields: [.cacheControl, .vary], possibleFields: [.contentTypeOptions],
            contents: [
                .init(mediaType: "text/plain", schema: Schema.text),
                .init(mediaType: "application/health+json", schema: Schema.named(HealthSchema.name)),
            ])
    }

    /// The answer to a query that cannot be read.
    static var malformedProbe: AnswerDescription { .problem(400, "The query is not properly percent-encoded.") }
}
