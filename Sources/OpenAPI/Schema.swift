package import JSON

/// The forms of JSON Schema that descriptions use.
package enum Schema {
    package static let text: JSONObject = ["type": "string"]
    package static let filledText: JSONObject = ["type": "string", "minLength": 1]
    package static let flag: JSONObject = ["type": "boolean"]
    package static let integer: JSONObject = ["type": "integer"]
    package static let count: JSONObject = ["type": "integer", "minimum": 0]
    package static let number: JSONObject = ["type": "number"]

    package static let time = text(matching: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")

    package static func text(matching pattern: String) -> JSONObject {
        ["type": "string", "pattern": .string(pattern)]
    }

    package static func choice(of texts: [String]) -> JSONObject {
        ["type": "string", "enum": .array(texts.map { .string($0) })]
    }

    package static func list(of element: JSONObject) -> JSONObject {
        ["type": "array", "items": .object(element)]
    }

    /// A reference to a schema of the document.
    package static func named(_ name: String) -> JSONObject {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    package static func any(of schemas: [JSONObject]) -> JSONObject {
        ["anyOf": .array(schemas.map { .object($0) })]
    }

    /// An object with these members, and others where it is open.
    package static func object(
        _ properties: [SchemaProperty], isOpen: Bool = false, _ description: String? = nil
    ) -> JSONObject {
        var schema: JSONObject = ["type": "object"]
        schema["description"] = description.map { .string($0) }
        let required = properties.filter(\.isAlwaysThere)
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0.name) }) }
        schema["properties"] = .object(JSONObject(properties.map { ($0.name, .object($0.described)) }))
        schema["additionalProperties"] = .bool(isOpen)
        return schema
    }

    /// An object with members of any names.
    package static func map(of value: JSONObject) -> JSONObject {
        ["type": "object", "additionalProperties": .object(value)]
    }
}

/// A member of an object.
package struct SchemaProperty: Sendable {
    let name: String
    let schema: JSONObject
    /// A part of a sentence.
    let meaning: String
    let isAlwaysThere: Bool

    package init(name: String, schema: JSONObject, meaning: String, isAlwaysThere: Bool) {
        self.name = name
        self.schema = schema
        self.meaning = meaning
        self.isAlwaysThere = isAlwaysThere
    }

    package static func always(_ name: String, _ schema: JSONObject, _ meaning: String) -> SchemaProperty {
        SchemaProperty(name: name, schema: schema, meaning: meaning, isAlwaysThere: true)
    }

    package static func sometimes(_ name: String, _ schema: JSONObject, _ meaning: String) -> SchemaProperty {
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
package enum Sentence {
    /// The part with a capital before it and a full stop behind it.
    package static func of(_ part: String) -> String {
        part.prefix(1).uppercased() + part.dropFirst() + "."
    }
}

/// The schema of `ProblemDetails`.
package enum ProblemSchema {
    package static let name = "Problem"

    package static let schema = Schema.object(
        [
            .always("type", Schema.text, "the kind of problem; `about:blank` when the status says it all"),
            .always("title", Schema.text, "the kind of problem in words"),
            .always("status", ["type": "integer", "minimum": 400, "maximum": 599], "the status of the response"),
            .sometimes("detail", Schema.text, "what is wrong with this request"),
            .sometimes("parameter", Schema.text, "the name of the query parameter that is wrong"),
        ], "What is wrong (RFC 9457).")
}
