package import Configuration

/// The reference of config files as text for a terminal: top-level keys and components.
package struct ComponentReference {
    private let families: [RegisteredFamily]
    private let sections: [FieldSpec]

    /// - Parameter sections: the top-level keys that hold no components.
    package init(registry: ComponentRegistry, sections: [FieldSpec]) {
        families = registry.families
        self.sections = sections
    }

    /// The top-level keys, and then the types of each family under the key of its labels, with a line about each.
    package var list: String {
        let groups =
            [("top level", sections.map { ($0.name, $0.meaning) })]
            + families.map { family in (family.section, family.components.map { ($0.type, $0.summary) }) }
        let width = groups.flatMap(\.1).map(\.0.count).max() ?? 0
        return groups.map { heading, entries in
            let lines = entries.map { name, meaning in
                "  \(name)\(String(repeating: " ", count: width - name.count))  \(meaning)\n"
            }
            return "\(heading)\n\(lines.joined())"
        }.joined(separator: "\n")
    }

    /// Describes the top-level key and the components with a name, which several families may have; nil for none.
    package func description(of name: String) -> String? {
        let keys = sections.filter { $0.name == name }.map { key in
            "\(name) (top level): \(key.meaning)\n\n\(Self.lines(of: [key]))"
        }
        let components = families.compactMap { family in
            family.component(type: name).map { Self.describe($0, of: family) }
        }
        let found = keys + components
        return found.isEmpty ? nil : found.joined(separator: "\n")
    }

    private static func describe(_ component: RegisteredComponent, of family: RegisteredFamily) -> String {
        let fields = lines(of: component.fields)
        return """
            \(component.type) (\(family.noun)): \(component.summary)

            \(fields.isEmpty ? "  no fields\n" : fields)
              example
                  \(component.example)

            """
    }

    /// Two lines a field; the fields of a mapping follow it, named by their whole path.
    private static func lines(of fields: [FieldSpec], prefix: String = "") -> String {
        fields.map { field in
            let name = prefix + field.name
            let line = "  \(name): \(field.type), \(words(for: field.requirement))\n      \(field.meaning)\n"
            switch field.type {
            case .object(let inner), .unlessOff(let inner): return line + lines(of: inner, prefix: "\(name).")
            default: return line
            }
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
