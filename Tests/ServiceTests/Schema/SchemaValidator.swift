@testable import Configuration
import JSON

/// As much of a JSON Schema validator as the schema of config files needs. A keyword that it does not know stops the
/// test, so that none is passed over.
struct SchemaValidator {
    /// Where something is wrong, each place once: `/providers/a/ttl`.
    private(set) var problems: [String] = []
    private let definitions: JSONObject
    private let schema: JSONObject

    init(_ schema: JSONObject) {
        self.schema = schema
        definitions = schema["definitions"]?.object ?? [:]
    }

    /// Validates a config as an editor sees it: variables stay as they are written.
    mutating func validate(_ yaml: String) throws {
        let literal = yaml.replacing("${", with: "$${")
        let document = try ConfigDocument.parse(literal, file: "c.yaml", environment: [:])
        for place in Self.faults(Self.json(document.root), schema, "", definitions) where !problems.contains(place) {
            problems.append(place)
        }
    }

    private static func json(_ node: ConfigNode) -> JSONValue {
        switch node.content {
        case .null: .null
        case .scalar("true", true): true
        case .scalar("false", true): false
        case .scalar(let text, let isPlain):
            (isPlain ? JSONNumber(literal: text) : nil).map { .number($0) } ?? .string(text)
        case .sequence(let elements): .array(elements.map(json))
        case .mapping(let entries): .object(JSONObject(entries.map { ($0.key, json($0.value)) }))
        }
    }

    private static func faults(
        _ value: JSONValue, _ schema: JSONObject, _ place: String, _ definitions: JSONObject
    ) -> [String] {
        let here = [place.isEmpty ? "/" : place]
        func faults(_ value: JSONValue, _ schema: JSONValue?, _ place: String) -> [String] {
            if schema?.bool == true { return [] }
            guard let schema = schema?.object else { return [place] }
            return Self.faults(value, schema, place, definitions)
        }
        return schema.members.flatMap { keyword -> [String] in
            let rule = keyword.value
            switch keyword.key {
            case "$schema", "title", "description", "default", "definitions", "then": return []
            case "additionalProperties": return others(than: schema["properties"], value, rule, place, faults)
            case "$ref":
                return faults(value, definitions[String((rule.string ?? "").dropFirst(14))], place)
            case "type": return value.isOfSchemaType(rule) ? [] : here
            case "const": return value == rule ? [] : here
            case "enum": return rule.array?.contains(value) == true ? [] : here
            case "pattern": return matches(value, rule) ? [] : here
            case "minLength": return value.string?.isEmpty == true ? here : []
            case "minimum": return number(value).map { $0 >= number(rule) ?? 0 } ?? true ? [] : here
            case "maximum": return number(value).map { $0 <= number(rule) ?? 0 } ?? true ? [] : here
            case "required":
                let missing = rule.array?.contains { value.object?[$0.string ?? ""] == nil } ?? true
                return value.object != nil && missing ? here : []
            case "properties":
                return (rule.object?.members ?? []).flatMap { member in
                    value.object?[member.key].map { faults($0, member.value, "\(place)/\(member.key)") } ?? []
                }
            case "items":
                return (value.array ?? []).enumerated().flatMap { faults($1, rule, "\(place)/\($0)") }
            case "allOf": return (rule.array ?? []).flatMap { faults(value, $0, place) }
            case "anyOf": return rule.array?.contains { faults(value, $0, place).isEmpty } == true ? [] : here
            case "if": return faults(value, rule, place).isEmpty ? faults(value, schema["then"], place) : []
            default: preconditionFailure("the keyword \(keyword.key) is not known here")
            }
        }
    }

    private static func others(
        than known: JSONValue?, _ value: JSONValue, _ rule: JSONValue, _ place: String,
        _ faults: (JSONValue, JSONValue?, String) -> [String]
    ) -> [String] {
        (value.object?.members ?? []).filter { known?.object?[$0.key] == nil }
            .flatMap { faults($0.value, rule, "\(place)/\($0.key)") }
    }

    private static func matches(_ value: JSONValue, _ pattern: JSONValue) -> Bool {
        guard let text = value.string, let regex = try? Regex(pattern.string ?? "") else { return value.string == nil }
        return text.firstMatch(of: regex) != nil
    }

    private static func number(_ value: JSONValue) -> Double? { value.number?.double }
}
