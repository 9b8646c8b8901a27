internal import JSON

/// What can be asked beside a path.
struct ParameterDescription: Sendable, Equatable {
    /// Where it stands in a request.
    enum Place: String, Sendable {
        case path, query, header
    }

    let name: String
    let place: Place
    let meaning: String
    let schema: JSONObject
    /// A value that makes sense in any catalogue.
    var example: JSONValue?
    /// Whether there is no answer without it.
    var isRequired = false
    /// Whether it can stand there without a value.
    var isEmptyAllowed = false
    /// Whether an array's elements stand each in a parameter of its own, and not in one with commas.
    var isRepeated = false

    /// A parameter object of the document.
    var json: JSONObject {
        var json: JSONObject = ["name": .string(name), "in": .string(place.rawValue), "description": .string(meaning)]
        if isRequired || place == .path { json["required"] = true }
        if schema["type"] == "array" {
            json["style"] = "form"
            json["explode"] = .bool(isRepeated)
        }
        if isEmptyAllowed { json["allowEmptyValue"] = true }
        json["schema"] = .object(schema)
        json["example"] = example
        return json
    }
}
