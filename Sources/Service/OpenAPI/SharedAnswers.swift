internal import JSON

/// The response objects that many operations have, each once.
struct SharedAnswers {
    /// By their names in the document.
    private(set) var components = JSONObject()

    /// A reference to an object, which is taken in if it is not there yet.
    mutating func reference(to answer: JSONObject, named name: String) -> JSONObject {
        let key = key(of: answer, named: name)
        components[key] = .object(answer)
        return ["$ref": .string("#/components/responses/\(key)")]
    }

    private func key(of answer: JSONObject, named name: String) -> String {
        var (key, number) = (name, 1)
        while let other = components[key], other != .object(answer) {
            number += 1
            key = "\(name).\(number)"
        }
        return key
    }
}
