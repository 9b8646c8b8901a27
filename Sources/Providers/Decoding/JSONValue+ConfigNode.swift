internal import Configuration
internal import JSON

extension JSONValue {
    /// The scalar at a node, as YAML writes it: a plain number keeps its digits, plain `true` and `false` are booleans,
    /// and everything else, whatever is in quotes included, is text. Nil for what is no scalar.
    init?(scalar node: ConfigNode) {
        guard case .scalar(let text, let isPlain) = node.content else { return nil }
        self = .string(text)
        guard isPlain else { return }
        if let number = JSONNumber(literal: text) { self = .number(number) }
        if text == "true" || text == "false" { self = .bool(text == "true") }
    }
}
