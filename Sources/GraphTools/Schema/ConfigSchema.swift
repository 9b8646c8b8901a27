package import Configuration
package import JSON

/// The JSON Schema of config files, made from the specs of all top-level keys and components.
///
/// It is draft 7, which the YAML language servers of editors take. Labels and relations between numbers are beyond it,
/// and are checked by `larder check`. A text with `${` is valid wherever a scalar is.
package struct ConfigSchema {
    package let document: JSONObject

    /// - Parameter sections: the top-level keys that hold no components.
    package init(registry: ComponentRegistry, sections: [FieldSpec]) {
        var top = FieldSchema.object(sections)
        var properties = top["properties"]?.object ?? [:]
        for family in registry.families {
            properties[family.section] = .object([
                "type": .array(["object", "null"]),
                "description": .string("the labelled \(family.section): a free name, and the component it stands for"),
                "additionalProperties": .object(FieldSchema.reference(family.noun)),
            ])
        }
        top["properties"] = .object(properties)
        top["type"] = "object"
        var document: JSONObject = [
            "$schema": "http://json-schema.org/draft-07/schema#", "title": "A config file of Larder",
        ]
        document.add(top)
        document["definitions"] = .object(Self.definitions(registry))
        self.document = document
    }

    private static func definitions(_ registry: ComponentRegistry) -> JSONObject {
        var definitions = ScalarSchema.definitions
        for family in registry.families {
            definitions[family.noun] = .object(ComponentSchema.family(family))
            for component in family.components {
                definitions[ComponentSchema.name(component, of: family)] = .object(ComponentSchema.one(component))
            }
        }
        return definitions
    }
}

/// Schemas of components and of their families.
private enum ComponentSchema {
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

    /// A component of a family, selected by `type`, or a label. All keywords but the first apply to mappings only, so a
    /// label is valid, and the errors of a mapping are exact.
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
