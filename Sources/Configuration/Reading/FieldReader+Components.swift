/// The getters of components, which stand in the field or are referred to by label.
extension FieldReader {
    /// The component of a field that is required or has a default.
    public func component<F: ComponentFamily>(_ field: String, _ family: F.Type) -> ComponentPlan<F> {
        precondition(spec(field).requirement != .optional, "\"\(field)\" is optional; read it by an optional getter")
        return optionalComponent(field, family) ?? .placeholder(at: position)
    }

    /// The component of a field, or nil when it is absent.
    public func optionalComponent<F: ComponentFamily>(_ field: String, _ family: F.Type) -> ComponentPlan<F>? {
        expect(field, FieldType.component(family).description)
        return node(field).map { plan(family, $0, role: field, path: subpath(field)) }
    }

    /// The components of a list, in order; none when it is absent.
    public func components<F: ComponentFamily>(_ field: String, _ family: F.Type) -> [ComponentPlan<F>] {
        expect(field, FieldType.components(family).description)
        return elements(of: field).enumerated().map { index, node in
            plan(family, node, role: "\(field)[\(index)]", path: subpath(field, index: index))
        }
    }

    /// The components under free keys, in the order of the file; none when it is absent. `written` is the key as it is
    /// written in the file, to be shown in its place, since a key may come from the environment.
    public func componentMap<F: ComponentFamily>(
        _ field: String, _ family: F.Type
    ) -> [(key: String, written: String, plan: ComponentPlan<F>)] {
        expect(field, FieldType.componentMap(family).description)
        return members(of: field).map { entry in
            let role = "\(field).\(entry.writtenKey)"
            let plan = plan(family, entry.value, role: role, path: subpath(field, key: entry.writtenKey))
            return (entry.key, entry.writtenKey, plan)
        }
    }

    private func plan<F: ComponentFamily>(
        _ family: F.Type, _ node: ConfigNode, role: String, path: String
    ) -> ComponentPlan<F> {
        let plan = context.resolver.plan(family, node, path: path)
        let child = ComponentOutline.Child(
            role: rolePrefix + role, isReference: node.text != nil, outline: plan.outline)
        context.children.append(child)
        return plan
    }
}
