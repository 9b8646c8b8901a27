package import Configuration
package import JSON

/// The JSON Schema of config files, made from the specs of all sections and components.
///
/// Draft 7, which editors' YAML language servers take. It cannot know which labels there are, nor what numbers mean
/// together; `larder check` does. A text with `${` is good wherever a scalar is.
package struct ConfigSchema {
    /// The schema.
    package let document: JSONObject

    /// The schema of a registry's components and of the top-level keys beside the families' own.
    package init(registry: ComponentRegistry, sections: [FieldSpec]) {
        let labelled = registry.families.map { family in
            FieldSpec.optional(
                family.section, .object([]), "the labelled \(family.section): a free name, and what it stands for")
        }
        var top = FieldSchema.object(sections + labelled)
        var properties = top["properties"]?.object ?? [:]
        for family in registry.families {
            properties[family.section] = .object(Self.labels(of: family, properties[family.section]?.object ?? [:]))
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

    private static func labels(of family: RegisteredFamily, _ property: JSONObject) -> JSONObject {
        var property = property
        property["properties"] = nil
        property["additionalProperties"] = .object(FieldSchema.reference(family.noun))
        return property
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
