internal import JSON

/// A member of an object, as a schema has it.
struct SchemaProperty: Sendable {
    let name: String
    let schema: JSONObject
    /// What it stands for, as a part of a sentence.
    let meaning: String
    let isAlwaysThere: Bool

    static func always(_ name: String, _ schema: JSONObject, _ meaning: String) -> SchemaProperty {
        SchemaProperty(name: name, schema: schema, meaning: meaning, isAlwaysThere: true)
    }

    static func sometimes(_ name: String, _ schema: JSONObject, _ meaning: String) -> SchemaProperty {
        SchemaProperty(name: name, schema: schema, meaning: meaning, isAlwaysThere: false)
    }

    /// What it stands for and may be.
    var described: JSONObject {
        var described: JSONObject = ["description": .string(Sentence.of(meaning))]
        described.add(schema)
        return described
    }
}
