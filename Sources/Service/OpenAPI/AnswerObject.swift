internal import JSON

/// A response object of the document: one status, whatever the reasons for it.
struct AnswerObject {
    private let answers: [AnswerDescription]

    /// - Parameter answers: those with the status, at least one.
    init(_ answers: [AnswerDescription]) {
        self.answers = answers
    }

    /// - Parameter hasBody: whether the answers to the method have bodies at all.
    func json(hasBody: Bool) -> JSONObject {
        var json: JSONObject = ["description": .string(answers.map(\.meaning).joined(separator: " "))]
        if !fields.isEmpty { json["headers"] = .object(fields) }
        if hasBody, !contents.isEmpty { json["content"] = .object(contents) }
        let links = answers.reduce(into: JSONObject()) { $0.add($1.links) }
        if hasBody, !links.isEmpty { json["links"] = .object(links) }
        return json
    }

    /// A field is always there if it is for every reason.
    private var fields: JSONObject {
        JSONObject(
            AnswerField.allCases.compactMap { field in
                guard answers.contains(where: { ($0.fields + $0.possibleFields).contains(field) }) else { return nil }
                let isAlwaysThere = answers.allSatisfy { $0.fields.contains(field) }
                return (field.rawValue, .object(field.json(isAlwaysThere: isAlwaysThere)))
            })
    }

    private var contents: JSONObject {
        var contents = JSONObject()
        for content in answers.flatMap(\.contents) {
            var json = contents[content.mediaType]?.object ?? ["schema": .object(content.schema)]
            if !content.examples.isEmpty {
                var examples = json["examples"]?.object ?? [:]
                examples.add(content.examples)
                json["examples"] = .object(examples)
            }
            contents[content.mediaType] = .object(json)
        }
        return contents
    }
}
