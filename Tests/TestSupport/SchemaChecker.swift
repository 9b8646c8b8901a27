package import JSON

/// Checks JSON against the keywords of JSON Schema that the OpenAPI document (2020-12) and the schema of config files
/// (draft 7) use. An unknown keyword is a fault, so that none is ignored.
package struct SchemaChecker {
    /// The schemas that references lead to, by the last part of their paths.
    private let schemas: JSONObject

    package init(schemas: JSONObject) {
        self.schemas = schemas
    }

    /// Returns the faults of a value, such as `/products/0/price: required`.
    package func faults(_ value: JSONValue, _ schema: JSONValue?, at place: String = "") -> [String] {
        if let isAllowed = schema?.bool { return isAllowed ? [] : ["\(place): not allowed"] }
        guard let schema = schema?.object else { return ["\(place): no schema"] }
        return schema.members.flatMap { member in
            faults(value, member.key, member.value, schema, place)
        }
    }

    /// Returns the faults of a value by the schema with this name.
    package func faults(_ value: JSONValue, named name: String) -> [String] {
        faults(value, schemas[name])
    }

    private func faults(
        _ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ schema: JSONObject, _ place: String
    ) -> [String] {
        switch keyword {
        case "$schema", "title", "description", "default", "definitions", "then": []
        case "$ref": faults(value, referred(rule), at: place)
        case "type": fault(isOfType(value, rule), keyword, place)
        case "const": fault(value == rule, keyword, place)
        case "enum": fault(rule.array?.contains(value) == true, keyword, place)
        case "not": fault(!faults(value, rule, at: place).isEmpty, keyword, place)
        case "allOf": (rule.array ?? []).flatMap { faults(value, $0, at: place) }
        case "anyOf": fault(count(of: rule, meeting: value) > 0, keyword, place)
        case "oneOf": fault(count(of: rule, meeting: value) == 1, keyword, place)
        case "if": faults(value, rule).isEmpty ? faults(value, schema["then"], at: place) : []
        case "discriminator": discriminated(value, rule, place)
        case "pattern", "minLength": textFaults(value, keyword, rule, place)
        case "minimum", "maximum": numberFaults(value, keyword, rule, place)
        case "items", "minItems", "uniqueItems": listFaults(value, keyword, rule, place)
        case "required", "properties", "additionalProperties": objectFaults(value, keyword, rule, schema, place)
        default: ["the keyword \(keyword) is not known here"]
        }
    }

    private func fault(_ isGood: Bool, _ keyword: String, _ place: String) -> [String] {
        isGood ? [] : ["\(place): \(keyword)"]
    }

    private func referred(_ reference: JSONValue) -> JSONValue? {
        schemas[String(reference.string?.split(separator: "/").last ?? "")]
    }

    private func isOfType(_ value: JSONValue, _ types: JSONValue) -> Bool {
        (types.array ?? [types]).contains { type in
            switch (value, type.string) {
            case (.object, "object"), (.array, "array"), (.string, "string"), (.bool, "boolean"), (.null, "null"),
                (.number, "number"):
                true
            case (.number(let number), "integer"): number.integer != nil
            default: false
            }
        }
    }

    private func count(of schemas: JSONValue, meeting value: JSONValue) -> Int {
        (schemas.array ?? []).count { faults(value, $0).isEmpty }
    }

    /// The schema that the mapping names for the value must be met.
    private func discriminated(_ value: JSONValue, _ rule: JSONValue, _ place: String) -> [String] {
        guard let name = rule.object?["propertyName"]?.string, let kind = value.object?[name]?.string else {
            return ["\(place): discriminator"]
        }
        guard let reference = rule.object?["mapping"]?.object?[kind] else { return [] }
        return faults(value, referred(reference), at: place)
    }

    private func textFaults(_ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ place: String) -> [String] {
        guard let text = value.string else { return [] }
        if keyword == "minLength" {
            return fault(text.unicodeScalars.count >= rule.number?.integer ?? .max, keyword, place)
        }
        guard let regex = try? Regex(rule.string ?? "(") else { return ["\(place): bad pattern"] }
        return fault(text.firstMatch(of: regex) != nil, keyword, place)
    }

    private func numberFaults(_ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ place: String) -> [String] {
        guard let number = value.number?.double, let bound = rule.number?.double else { return [] }
        return fault(keyword == "minimum" ? number >= bound : number <= bound, keyword, place)
    }

    private func listFaults(_ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ place: String) -> [String] {
        guard let elements = value.array else { return [] }
        switch keyword {
        case "minItems": return fault(elements.count >= rule.number?.integer ?? .max, keyword, place)
        case "uniqueItems": return fault(Set(elements).count == elements.count, keyword, place)
        default: return elements.enumerated().flatMap { faults($1, rule, at: "\(place)/\($0)") }
        }
    }

    private func objectFaults(
        _ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ schema: JSONObject, _ place: String
    ) -> [String] {
        guard let object = value.object else { return [] }
        switch keyword {
        case "required":
            let missing = (rule.array ?? []).compactMap(\.string).filter { object[$0] == nil }
            return missing.map { "\(place)/\($0): required" }
        case "properties":
            return (rule.object?.members ?? []).flatMap { member in
                object[member.key].map { faults($0, member.value, at: "\(place)/\(member.key)") } ?? []
            }
        default:
            let known = schema["properties"]?.object
            return object.members.filter { known?[$0.key] == nil }
                .flatMap { faults($0.value, rule, at: "\(place)/\($0.key)") }
        }
    }
}
