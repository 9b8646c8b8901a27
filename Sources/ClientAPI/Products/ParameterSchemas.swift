internal import JSON
internal import OpenAPI
internal import Querying

extension ProductsQueryParameters {
    /// The parameters for the OpenAPI description.
    func described(_ limits: PageLimits) -> [ParameterDescription] {
        all.map { parameter in
            let form = form(of: parameter)
            return ParameterDescription(
                name: parameter.name, place: .query, meaning: form.details(parameter.meaning),
                schema: form.schema(parameter, limits), example: parameter.example.map(form.value))
        }
    }
}

extension ProductsQueryParameter.Form {

    /// An element of a list with its escapes, so that each value that fits the schema is valid.
    private static let element = Schema.text(matching: #"^([^,\\]|\\[,\\])+$"#)

    private static let several = "Each may also be a parameter of its own."

    fileprivate func details(_ meaning: String) -> String {
        switch self {
        case .list: meaning + #" A comma or a `\` within one of them has a `\` before it. "# + Self.several
        case .choices, .amounts: "\(meaning) \(Self.several)"
        case .count, .amount, .flag, .choice, .words, .cursor, .text: meaning
        }
    }

    fileprivate func schema(_ parameter: QueryParameter, _ limits: PageLimits) -> JSONObject {
        switch self {
        case .count:
            let isLimit = parameter == .common(.limit)
            let usual = isLimit ? limits.whenNotGiven : ProductsQuery.usualFacetLimit
            let greatest = isLimit ? limits.greatest : ProductsQuery.greatestFacetLimit
            var schema: JSONObject = [
                "type": "integer", "minimum": .number(JSONNumber(isLimit ? 0 : 1)),
                "maximum": .number(JSONNumber(greatest)),
            ]
            schema["default"] = usual.map { .number(JSONNumber($0)) }
            return schema
        case .amount: return Schema.number
        case .amounts: return list(of: Schema.number, isSet: false)
        case .text: return Schema.filledText
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

    fileprivate func value(_ text: String) -> JSONValue {
        switch self {
        case .count, .amount: JSONNumber(literal: text).map { .number($0) } ?? .string(text)
        case .flag: .bool(text == "true")
        case .choices, .list, .amounts: .array(text.split(separator: ",").map { .string(String($0)) })
        case .choice, .words, .cursor, .text: .string(text)
        }
    }
}
