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
        return node(field).map { plan(family, $0, role: field) }
    }

    /// The components of a list, in order; none when it is absent.
    public func components<F: ComponentFamily>(_ field: String, _ family: F.Type) -> [ComponentPlan<F>] {
        expect(field, FieldType.components(family).description)
        return elements(of: field).enumerated().map { plan(family, $1, role: "\(field)[\($0)]") }
    }

    /// The components under free keys, in the order of the file; none when it is absent.
    public func componentMap<F: ComponentFamily>(
        _ field: String, _ family: F.Type
    ) -> [(key: String, plan: ComponentPlan<F>)] {
        expect(field, FieldType.componentMap(family).description)
        return members(of: field).map { ($0.key, plan(family, $0.value, role: "\(field).\($0.key)")) }
    }

    private func plan<F: ComponentFamily>(_ family: F.Type, _ node: ConfigNode, role: String) -> ComponentPlan<F> {
        let plan = context.resolver.plan(family, node, path: subpath(role))
        let child = ComponentOutline.Child(
            role: rolePrefix + role, isReference: node.text != nil, outline: plan.outline)
        context.children.append(child)
        return plan
    }
}
