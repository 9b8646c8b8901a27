internal import Configuration
internal import JSON

/// Defaults of fields, which specs have as YAML, as JSON.
enum DefaultValue {
    /// The value; a text that is no YAML stands for itself.
    static func json(_ text: String) -> JSONValue {
        let document = try? ConfigDocument.parse(text, file: "default", environment: [:])
        return document.map { json($0.root) } ?? .string(text)
    }

    private static func json(_ node: ConfigNode) -> JSONValue {
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
