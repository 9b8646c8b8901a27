internal import Configuration
internal import JSON

/// Schemas of fields.
enum FieldSchema {
    /// A mapping with these fields and no others. Null counts as an empty one.
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
        // Draft 7 ignores the keywords beside a reference.
        if schema["$ref"] != nil { schema = ["allOf": .array([.object(schema)])] }
        schema["description"] = .string(field.meaning)
        if case .defaulted(let text) = field.requirement { schema["default"] = DefaultValue.json(text) }
        return schema
    }

    private static func schema(of type: FieldType) -> JSONObject {
        switch type {
        case .any: [:]
        case .urlOf(let schemes, _, let other): ScalarSchema.url(schemes, or: other)
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
        case .string, .integer, .boolean, .duration, .size, .ratio, .address, .url, .secret, .path:
            reference("\(type)")
        }
    }

    /// The forms of a choice, which YAML may take for a number.
    private static func spellings(_ text: String) -> [JSONValue] {
        [.string(text)] + (JSONNumber(literal: text).map { [.number($0)] } ?? [])
    }

    /// A mapping that is not null.
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

/// Schemas of scalars, by the names of their field types.
///
/// Patterns apply to texts and bounds to numbers, so that one schema covers the number `0` and the text `5s`.
enum ScalarSchema {
    /// A text that names environment variables, whose values only the service knows.
    static let interpolated: JSONObject = ["type": "string", "pattern": .string(reference)]

    static let definitions: JSONObject = [
        "\(FieldType.string)": anyText([:]),
        "\(FieldType.integer)": text(["integer", "string"], "[+-]?[0-9]+"),
        "\(FieldType.boolean)": text(["boolean", "string"], "true|false"),
        "\(FieldType.duration)": text(
            ["string", "integer"], "0|(?=[0-9])([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?",
            "250ms, 5s, 2m, 3h, 7d, or a sum such as 1m30s", bounds: ["maximum": 0, "minimum": 0]),
        "\(FieldType.size)": text(
            ["integer", "string"], "[0-9]+(GiB|GB|MiB|MB|KiB|kB|B)?", "bytes: 512, 16KiB, 64MiB, 10MB",
            bounds: ["minimum": 0]),
        "\(FieldType.ratio)": text(
            ["number", "string"], decimal, "a number from 0 to 1", bounds: ["minimum": 0, "maximum": 1]),
        "\(FieldType.address)": text(
            ["string"], #"(\[[0-9A-Fa-f:.%]+\]|[^\s:/\[\]]+):[0-9]{1,5}"#, "host:port or [v6]:port"),
        "\(FieldType.url)": text(["string"], #"[Hh][Tt][Tt][Pp][Ss]?://[^\s]+"#, "an absolute http or https URL"),
        "\(FieldType.secret)": anyText(["minLength": 1]),
        "\(FieldType.path)": anyText(["minLength": 1]),
    ]

    /// The schema of URLs with one of these schemes.
    static func url(_ schemes: [String], or other: String? = nil) -> JSONObject {
        let schemes = schemes.map { scheme in scheme.map { "[\($0.uppercased())\($0)]" }.joined() }
        let url = "(\(schemes.joined(separator: "|")))://\\S+"
        let another = other.map { $0.hasSuffix(":") ? "|\($0)/.+" : "|\($0)" }
        return text(["string"], another.map { "(\(url)\($0))" } ?? url).object ?? [:]
    }

    private static let reference = #"\$\{"#
    private static let decimal = #"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"#

    /// Any scalar, because YAML may take a text for a number or a boolean.
    private static func anyText(_ bounds: JSONObject) -> JSONValue {
        var schema: JSONObject = ["type": .array(["string", "number", "boolean"])]
        schema.add(bounds)
        return .object(schema)
    }

    private static func text(
        _ types: [JSONValue], _ pattern: String, _ description: String? = nil, bounds: JSONObject = [:]
    ) -> JSONValue {
        var schema: JSONObject = ["type": .array(types), "pattern": .string("^(\(pattern))$|\(reference)")]
        schema.add(bounds)
        schema["description"] = description.map { .string($0) }
        return .object(schema)
    }
}

/// The JSON of the defaults of fields, which specs hold as YAML.
enum DefaultValue {
    /// The value; a text that is no YAML becomes a JSON string.
    static func json(_ text: String) -> JSONValue {
        let document = try? ConfigDocument.parse(text, file: "default", environment: [:])
        return document.map { json($0.root) } ?? .string(text)
    }

    /// The JSON of a YAML node, whose plain scalars are numbers, booleans or text.
    static func json(_ node: ConfigNode) -> JSONValue {
        switch node.content {
        case .null: .null
        case .scalar(let text, let isPlain): isPlain ? plain(text) : .string(text)
        case .sequence(let elements): .array(elements.map(json))
        case .mapping(let entries): .object(JSONObject(entries.map { ($0.key, json($0.value)) }))
        }
    }

    private static func plain(_ text: String) -> JSONValue {
        switch text {
        case "true": true
        case "false": false
        default: JSONNumber(literal: text).map { .number($0) } ?? .string(text)
        }
    }
}
