internal import Configuration
internal import JSON

/// Schemas of fields.
enum FieldSchema {
    /// A mapping with these fields and no others. Nothing at all counts as an empty one.
    static func object(_ fields: [FieldSpec]) -> JSONObject {
        var schema: JSONObject = ["type": .array(["object", "null"])]
        schema["properties"] = .object(JSONObject(fields.map { ($0.name, .object(property($0))) }))
        let required = fields.filter { $0.requirement == .required }
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0.name) }) }
        schema["additionalProperties"] = false
        return schema
    }

    /// A reference to a definition.
    static func reference(_ definition: String) -> JSONObject {
        ["$ref": .string("#/definitions/\(definition)")]
    }

    private static func property(_ field: FieldSpec) -> JSONObject {
        var schema = schema(of: field.type)
        // Draft 7 ignores whatever stands beside a reference.
        if schema["$ref"] != nil { schema = ["allOf": .array([.object(schema)])] }
        schema["description"] = .string(field.meaning)
        if case .defaulted(let text) = field.requirement { schema["default"] = DefaultValue.json(text) }
        return schema
    }

    private static func schema(of type: FieldType) -> JSONObject {
        switch type {
        case .any: [:]
        case .choice(let texts):
            [
                "anyOf": .array([
                    .object(["enum": .array(texts.flatMap(spellings))]), .object(ScalarSchema.interpolated),
                ])
            ]
        case .list(let element): list(schema(of: element))
        case .map(let value): map(schema(of: value))
        case .object(let fields): object(fields)
        case .unlessOff(let fields):
            [
                "anyOf": .array([
                    .object(["const": "off"]), .object(mapping(fields)), .object(ScalarSchema.interpolated),
                ])
            ]
        case .component(let family): reference(family)
        case .components(let family): list(reference(family))
        case .componentMap(let family): map(reference(family))
        case .string, .integer, .number, .boolean, .duration, .size, .ratio, .address, .url, .secret, .path:
            reference("\(type)")
        }
    }

    /// What YAML takes for a number is a choice all the same.
    private static func spellings(_ text: String) -> [JSONValue] {
        [.string(text)] + (JSONNumber(literal: text).map { [.number($0)] } ?? [])
    }

    /// As `object`, but nothing at all is none.
    private static func mapping(_ fields: [FieldSpec]) -> JSONObject {
        var schema = object(fields)
        schema["type"] = "object"
        return schema
    }

    private static func list(_ element: JSONObject) -> JSONObject {
        ["type": "array", "items": .object(element)]
    }

    private static func map(_ value: JSONObject) -> JSONObject {
        ["type": "object", "additionalProperties": .object(value)]
    }
}
