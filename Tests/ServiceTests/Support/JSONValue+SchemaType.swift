import JSON

extension JSONValue {
    /// Whether the value is of the type that JSON Schema's keyword `type` names, or of one of several.
    func isOfSchemaType(_ types: JSONValue) -> Bool {
        let names = types.array?.compactMap(\.string) ?? [types.string ?? ""]
        return names.contains { name in
            switch name {
            case "object": object != nil
            case "array": array != nil
            case "string": string != nil
            case "number": number != nil
            case "integer": number?.integer != nil
            case "boolean": bool != nil
            case "null": isNull
            default: false
            }
        }
    }
}
