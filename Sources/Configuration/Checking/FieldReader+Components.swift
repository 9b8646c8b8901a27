internal import Text

/// The getters of components, defined in the field or referred to by label.
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

    /// The components under free keys, in the order of the file; none if it is absent. `written` is the key as written
    /// in the file, to be shown in its place, since a key may come from the environment.
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

extension FieldReader {
    /// The case that a field of type `.choice(E.self)` names; the field is required or has a default.
    public func choice<E: RawRepresentable<String> & CaseIterable>(_ field: String, _ choices: E.Type = E.self) -> E {
        precondition(spec(field).requirement != .optional, "\"\(field)\" is optional; read it by an optional getter")
        if let choice = optionalChoice(field, choices) { return choice }
        guard let any = defaultChoice(field) ?? E.allCases.first else {
            preconditionFailure("\(choices) has no case")
        }
        return any
    }

    /// The case that a field of type `.choice(E.self)` names, or nil when it is absent.
    public func optionalChoice<E: RawRepresentable<String> & CaseIterable>(
        _ field: String, _ choices: E.Type = E.self
    ) -> E? {
        expect(field, FieldType.choice(choices).description)
        guard let node = node(field) else { return nil }
        return node.text.flatMap(E.init(rawValue:)) ?? failChoice(field, node, E.allCases.map(\.rawValue))
    }

    /// The cases that a field of type `.list(.choice(E.self))` names, in their order; none when it is absent.
    public func choices<E: RawRepresentable<String> & CaseIterable>(_ field: String, _ choices: E.Type = E.self) -> [E]
    {
        expect(field, FieldType.list(.choice(choices)).description)
        return elements(of: field).compactMap { node in
            node.text.flatMap(E.init(rawValue:)) ?? failChoice(field, node, E.allCases.map(\.rawValue))
        }
    }

    private func defaultChoice<E: RawRepresentable<String>>(_ field: String) -> E? {
        guard case .defaulted(let text) = spec(field).requirement else { return nil }
        return E(rawValue: text)
    }

    /// Reports a text that is not one of the choices.
    func failChoice<Value>(_ field: String, _ node: ConfigNode, _ choices: [String]) -> Value? {
        fail(
            field, node, "\"\(field)\": expected \(WordList.alternatives(choices)), found \(node.foundValue)",
            suggestion: node.text.flatMap { ClosestName.to($0, among: choices) })
        return nil
    }
}

extension FieldReader {
    /// States a fact about the component that depends on its settings. Facts about every component of a type belong in
    /// its spec.
    package func state(_ fact: some Sendable) {
        context.facts.append(fact)
    }
}
