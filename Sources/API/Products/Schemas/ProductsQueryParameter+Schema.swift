internal import JSON
internal import Products

extension ProductsQueryParameter {
    /// The parameter in the OpenAPI description.
    func described(_ limits: PageLimits) -> ParameterDescription {
        ParameterDescription(
            name: rawValue, place: .query, meaning: details, schema: schema(limits), example: example.map(value))
    }

    /// An element of a list with its escapes, so that each value by the schema is valid.
    private static let element = Schema.text(matching: #"^([^,\\]|\\[,\\])+$"#)

    private var details: String {
        switch form {
        case .list: meaning + #" A comma or a `\` within one of them has a `\` before it."#
        case .count, .amount, .flag, .choice, .choices, .words, .cursor: meaning
        }
    }

    private func schema(_ limits: PageLimits) -> JSONObject {
        switch form {
        case .count:
            var schema: JSONObject = ["type": "integer", "minimum": 1, "maximum": .number(JSONNumber(limits.greatest))]
            schema["default"] = limits.whenNotGiven.map { .number(JSONNumber($0)) }
            return schema
        case .amount: return Schema.number
        case .flag: return Schema.flag
        case .choice(let texts): return Schema.choice(of: texts)
        case .choices(let texts): return list(of: Schema.choice(of: texts), isSet: true)
        case .list: return list(of: Self.element, isSet: false)
        case .words: return Schema.filledText
        case .cursor: return Schema.cursor
        }
    }

    private func list(of element: JSONObject, isSet: Bool) -> JSONObject {
        var list = Schema.list(of: element)
        list["minItems"] = 1
        if isSet { list["uniqueItems"] = true }
        return list
    }

    private func value(_ text: String) -> JSONValue {
        switch form {
        case .count, .amount: JSONNumber(literal: text).map { .number($0) } ?? .string(text)
        case .flag: .bool(text == "true")
        case .choices, .list: .array(text.split(separator: ",").map { .string(String($0)) })
        case .choice, .words, .cursor: .string(text)
        }
    }
}
