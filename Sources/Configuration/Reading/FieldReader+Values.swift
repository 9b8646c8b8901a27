/// How all getters of texts, numbers and the like work.
extension FieldReader {
    /// The value of a field that is required or has a default.
    func required<Value>(_ field: String, _ kind: ScalarKind<Value>) -> Value {
        precondition(spec(field).requirement != .optional, "\"\(field)\" is optional; read it by an optional getter")
        return optional(field, kind) ?? fallback(field, kind)
    }

    /// The value of a field, or nil when it is absent or could not be read.
    func optional<Value>(_ field: String, _ kind: ScalarKind<Value>) -> Value? {
        expect(field, kind.noun)
        guard let node = node(field) else { return nil }
        return value(of: node, kind, field: field, label: field)
    }

    func required<Value>(
        _ field: String, _ kind: ScalarKind<Value>, in range: some RangeExpression<Value>,
        _ format: (Value) -> String
    ) -> Value {
        let value = required(field, kind)
        return check(value, field, range, format) ? value : RangeText.sample(range) ?? value
    }

    func optional<Value>(
        _ field: String, _ kind: ScalarKind<Value>, in range: some RangeExpression<Value>,
        _ format: (Value) -> String
    ) -> Value? {
        optional(field, kind).flatMap { check($0, field, range, format) ? $0 : nil }
    }

    /// Reads a text of one kind from `node`, which is the value of `field` or within it.
    func value<Value>(of node: ConfigNode, _ kind: ScalarKind<Value>, field: String, label: String) -> Value? {
        if !node.isBroken, let text = node.text, let value = kind.parse(text) { return value }
        let fault = kind.problem(with: node)
        fail(field, node, "\"\(label)\": \(fault.problem)", suggestion: fault.meant)
        return nil
    }

    /// Traps unless `field` is declared with this type.
    func expect(_ field: String, _ type: String) {
        let declared = spec(field).type.description
        precondition(
            declared == type, "\"\(field)\" in \"\(what)\" is declared as \(declared) and read as \(type)")
    }

    private func fallback<Value>(_ field: String, _ kind: ScalarKind<Value>) -> Value {
        guard case .defaulted(let text) = spec(field).requirement else { return kind.placeholder }
        let node = DefaultText.node(text, of: field, at: position)
        return node.text.flatMap(kind.parse) ?? kind.placeholder
    }

    private func check<Value>(
        _ value: Value, _ field: String, _ range: some RangeExpression<Value>, _ format: (Value) -> String
    ) -> Bool {
        if range.contains(value) { return true }
        guard let node = node(field), !node.isBroken, node.text != nil else { return false }
        let allowed = RangeText.describe(range, format).map { "; it must be \($0)" } ?? ""
        fail(field, node, "\"\(field)\": \(node.quotedValue) is out of range\(allowed)")
        return false
    }
}
