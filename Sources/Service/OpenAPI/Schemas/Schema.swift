internal import JSON

/// The few forms of JSON Schema that the descriptions are made of.
enum Schema {
    static let text: JSONObject = ["type": "string"]
    static let filledText: JSONObject = ["type": "string", "minLength": 1]
    static let flag: JSONObject = ["type": "boolean"]
    static let integer: JSONObject = ["type": "integer"]
    static let count: JSONObject = ["type": "integer", "minimum": 0]
    static let number: JSONObject = ["type": "number"]

    /// A text that a regular expression matches.
    static func text(matching pattern: String) -> JSONObject {
        ["type": "string", "pattern": .string(pattern)]
    }

    /// One of these texts.
    static func choice(of texts: [String]) -> JSONObject {
        ["type": "string", "enum": .array(texts.map { .string($0) })]
    }

    /// An array of such elements.
    static func list(of element: JSONObject) -> JSONObject {
        ["type": "array", "items": .object(element)]
    }

    /// Whatever stands under a name in the document.
    static func named(_ name: String) -> JSONObject {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    /// What meets one or more of these.
    static func any(of schemas: [JSONObject]) -> JSONObject {
        ["anyOf": .array(schemas.map { .object($0) })]
    }

    /// An object with these members.
    /// - Parameter isOpen: whether it may have others.
    static func object(_ properties: [SchemaProperty], isOpen: Bool = false, _ description: String? = nil) -> JSONObject
    {
        var schema: JSONObject = ["type": "object"]
        schema["description"] = description.map { .string($0) }
        let required = properties.filter(\.isAlwaysThere)
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0.name) }) }
        schema["properties"] = .object(JSONObject(properties.map { ($0.name, .object($0.described)) }))
        schema["additionalProperties"] = .bool(isOpen)
        return schema
    }

    /// An object whose members have any names.
    static func map(of value: JSONObject) -> JSONObject {
        ["type": "object", "additionalProperties": .object(value)]
    }
}
