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

    /// Notes that a text is none of some choices.
    func failChoice<Value>(_ field: String, _ node: ConfigNode, _ choices: [String]) -> Value? {
        fail(
            field, node, "\"\(field)\": expected \(WordList.alternatives(choices)), found \(node.foundValue)",
            suggestion: node.text.flatMap { ClosestName.to($0, among: choices) })
        return nil
    }
}
