internal import Configuration
internal import JSON

/// Schemas of components and of the families they belong to.
enum ComponentSchema {
    /// The name of a component's definition.
    static func name(_ component: RegisteredComponent, of family: RegisteredFamily) -> String {
        "\(family.noun).\(component.type)"
    }

    /// A component with its fields and no others.
    static func one(_ component: RegisteredComponent) -> JSONObject {
        var schema = FieldSchema.object(component.fields)
        var properties: JSONObject = ["type": true]
        properties.add(schema["properties"]?.object)
        schema["type"] = "object"
        schema["properties"] = .object(properties)
        schema["description"] = .string(component.summary)
        return schema
    }

    /// A component of a family, told apart by `type`, or a label. Every keyword but the first is about mappings, so a
    /// label meets them all, and of a mapping exactly what is wrong is said.
    static func family(_ family: RegisteredFamily) -> JSONObject {
        [
            "type": .array(["object", "string"]),
            "required": .array(["type"]),
            "properties": .object(["type": .object(typeSchema(of: family))]),
            "allOf": .array(family.components.map { .object(branch($0, of: family)) }),
        ]
    }

    private static func typeSchema(of family: RegisteredFamily) -> JSONObject {
        let types = family.components.map { component -> JSONValue in
            .object(["const": .string(component.type), "description": .string(component.summary)])
        }
        return ["anyOf": .array(types + [.object(ScalarSchema.interpolated)])]
    }

    private static func branch(_ component: RegisteredComponent, of family: RegisteredFamily) -> JSONObject {
        let isMeant: JSONObject = [
            "type": "object", "required": .array(["type"]),
            "properties": .object(["type": .object(["const": .string(component.type)])]),
        ]
        return ["if": .object(isMeant), "then": .object(FieldSchema.reference(name(component, of: family)))]
    }
}
