package import Configuration

/// What there is to know of the components that a config file can wire, as text for a terminal.
package struct ComponentReference {
    private let families: [RegisteredFamily]

    package init(registry: ComponentRegistry) {
        families = registry.families
    }

    /// Every type with its summary, family by family. Families are named by the top-level key of their labels.
    package var list: String {
        let width = families.flatMap(\.components).map(\.type.count).max() ?? 0
        return families.map { family in
            let lines = family.components.map { component in
                let gap = String(repeating: " ", count: width - component.type.count)
                return "  \(component.type)\(gap)  \(component.summary)\n"
            }
            return "\(family.section)\n\(lines.joined())"
        }.joined(separator: "\n")
    }

    /// All components of a type: types are unique within a family only. Nil when there is none.
    package func description(of type: String) -> String? {
        let found = families.compactMap { family in
            family.component(type: type).map { Self.describe($0, of: family) }
        }
        return found.isEmpty ? nil : found.joined(separator: "\n")
    }

    private static func describe(_ component: RegisteredComponent, of family: RegisteredFamily) -> String {
        let fields = lines(of: component.fields, prefix: "")
        return """
            \(component.type) (\(family.noun)): \(component.summary)

            \(fields.isEmpty ? "  no fields\n" : fields)
              example
                  \(component.example)

            """
    }

    /// Two lines a field; the fields of a mapping follow it under their whole way.
    private static func lines(of fields: [FieldSpec], prefix: String) -> String {
        fields.map { field in
            let name = prefix + field.name
            let line = "  \(name): \(field.type), \(words(for: field.requirement))\n      \(field.meaning)\n"
            guard case .object(let inner) = field.type else { return line }
            return line + lines(of: inner, prefix: "\(name).")
        }.joined()
    }

    private static func words(for requirement: FieldSpec.Requirement) -> String {
        switch requirement {
        case .required: "required"
        case .optional: "optional"
        case .defaulted(""): "default empty"
        case .defaulted(let text): "default \(text)"
        }
    }
}
