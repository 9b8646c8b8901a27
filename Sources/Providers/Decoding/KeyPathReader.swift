internal import Configuration
internal import JSON

/// Reads key paths, and reports what is none.
struct KeyPathReader {
    private let reader: FieldReader

    init(_ reader: FieldReader) {
        self.reader = reader
    }

    /// The key path that a key is.
    func path(keyOf entry: ConfigNode.Entry) -> JSONPath? {
        path(entry.key, shown: "\"\(entry.writtenKey)\"", at: entry.keyPosition)
    }

    /// The key path that a text is; nil also of what is no text.
    func path(_ node: ConfigNode) -> JSONPath? {
        node.text.flatMap { path($0, shown: node.found, at: node.position) }
    }

    /// The key path of a field that is declared as a string.
    func path(_ field: String) -> JSONPath? {
        guard reader.optionalString(field) != nil else { return nil }
        return reader.node(field).flatMap(path)
    }

    /// The key path of a field, or several of them in order of preference; the field is declared as anything.
    func alternatives(_ field: String) -> PathAlternatives? {
        guard let node = reader.node(field), !node.isBroken else { return nil }
        guard let elements = node.elements else {
            return path(of: node, field, expected: "string or list of string").map { PathAlternatives($0) }
        }
        let paths = elements.enumerated().compactMap { path(of: $1, "\(field)[\($0)]", expected: "string") }
        if elements.isEmpty {
            reader.report(.error, at: node.position, "\"\(field)\": expected at least one key path, found none")
        }
        return PathAlternatives(paths)
    }

    /// - Parameter shown: the text as the file has it, because it may come from the environment, where secrets live.
    private func path(_ text: String, shown: String, at position: SourcePosition) -> JSONPath? {
        if let path = JSONPath(text) { return path }
        reader.report(
            .error, at: position, "\(shown) is no key path; write names with dots between them, like data.products")
        return nil
    }

    private func path(of node: ConfigNode, _ label: String, expected: String) -> JSONPath? {
        guard !node.isBroken else { return nil }
        if node.text != nil { return path(node) }
        reader.report(.error, at: node.position, "\"\(label)\": expected \(expected), found \(node.found)")
        return nil
    }
}

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
