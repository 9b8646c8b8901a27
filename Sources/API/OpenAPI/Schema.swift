internal import JSON

/// The forms of JSON Schema that descriptions use.
enum Schema {
    static let text: JSONObject = ["type": "string"]
    static let filledText: JSONObject = ["type": "string", "minLength": 1]
    static let flag: JSONObject = ["type": "boolean"]
    static let integer: JSONObject = ["type": "integer"]
    static let count: JSONObject = ["type": "integer", "minimum": 0]
    static let number: JSONObject = ["type": "number"]

    static let time = text(matching: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")

    static func text(matching pattern: String) -> JSONObject {
        ["type": "string", "pattern": .string(pattern)]
    }

    static func choice(of texts: [String]) -> JSONObject {
        ["type": "string", "enum": .array(texts.map { .string($0) })]
    }

    static func list(of element: JSONObject) -> JSONObject {
        ["type": "array", "items": .object(element)]
    }

    /// A reference to a schema of the document.
    static func named(_ name: String) -> JSONObject {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    static func any(of schemas: [JSONObject]) -> JSONObject {
        ["anyOf": .array(schemas.map { .object($0) })]
    }

    /// An object with these members, and others where it is open.
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

    /// An object with members of any names.
    static func map(of value: JSONObject) -> JSONObject {
        ["type": "object", "additionalProperties": .object(value)]
    }
}

/// A member of an object.
struct SchemaProperty: Sendable {
    let name: String
    let schema: JSONObject
    /// A part of a sentence.
    let meaning: String
    let isAlwaysThere: Bool

    static func always(_ name: String, _ schema: JSONObject, _ meaning: String) -> SchemaProperty {
        SchemaProperty(name: name, schema: schema, meaning: meaning, isAlwaysThere: true)
    }

    static func sometimes(_ name: String, _ schema: JSONObject, _ meaning: String) -> SchemaProperty {
        SchemaProperty(name: name, schema: schema, meaning: meaning, isAlwaysThere: false)
    }

    /// The schema with the meaning as its description.
    var described: JSONObject {
        var described: JSONObject = ["description": .string(Sentence.of(meaning))]
        described.add(schema)
        return described
    }
}

/// Makes sentences of parts of them.
enum Sentence {
    /// The part with a capital before it and a full stop behind it.
    static func of(_ part: String) -> String {
        part.prefix(1).uppercased() + part.dropFirst() + "."
    }
}
