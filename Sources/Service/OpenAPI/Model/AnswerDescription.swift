internal import JSON

/// One of the answers that a client may get.
struct AnswerDescription: Sendable {
    /// A body in one of the forms it may have.
    struct Content: Sendable {
        let mediaType: String
        let schema: JSONObject
        /// Bodies that are sent exactly so, by names.
        var examples = JSONObject()
    }

    let status: Int
    /// When it is given, in a sentence.
    let meaning: String
    /// The fields that every such answer has.
    var fields: [AnswerField] = []
    /// The fields that some have.
    var possibleFields: [AnswerField] = []
    var contents: [Content] = []
    /// What else can be asked with what the answer holds, as link objects by names.
    var links = JSONObject()

    /// The same with more fields.
    func with(_ fields: [AnswerField], possible: [AnswerField]) -> AnswerDescription {
        var copy = self
        copy.fields += fields
        copy.possibleFields += possible
        return copy
    }

    /// A problem that nobody may keep.
    static func problem(
        _ status: Int, _ meaning: String, fields: [AnswerField] = [], possibleFields: [AnswerField] = [],
        examples: JSONObject = JSONObject()
    ) -> AnswerDescription {
        AnswerDescription(
            status: status, meaning: meaning, fields: [.cacheControl] + fields, possibleFields: possibleFields,
            contents: [
                Content(
                    mediaType: "application/problem+json", schema: Schema.named(ProblemSchema.name),
                    examples: examples)
            ])
    }
}
