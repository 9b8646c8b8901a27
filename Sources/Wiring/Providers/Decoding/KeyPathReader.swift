internal import Configuration
internal import Decoding
internal import JSON

extension FieldReader {
    /// Reads the key path in a key.
    func keyPath(keyOf entry: ConfigNode.Entry) -> JSONPath? {
        keyPath(entry.key, shown: "\"\(entry.writtenKey)\"", at: entry.keyPosition)
    }

    /// Reads the key path in a text; nil for anything but a text.
    func keyPath(_ node: ConfigNode) -> JSONPath? {
        node.text.flatMap { keyPath($0, shown: node.found, at: node.position) }
    }

    /// Reads the key path of a field of type `.string`.
    func keyPath(_ field: String) -> JSONPath? {
        guard optionalString(field) != nil else { return nil }
        return node(field).flatMap { keyPath($0) }
    }

    /// Reads one key path, or several in order of preference, from a field of type `.any`.
    func keyPaths(_ field: String) -> PathAlternatives? {
        guard let node = node(field), !node.isBroken else { return nil }
        guard let elements = node.elements else {
            return keyPath(of: node, field, expected: "string or list of string").map { PathAlternatives($0) }
        }
        let paths = elements.enumerated().compactMap { keyPath(of: $1, "\(field)[\($0)]", expected: "string") }
        if elements.isEmpty {
            report(.error, at: node.position, "\"\(field)\": expected at least one key path, found none")
        }
        return PathAlternatives(paths)
    }

    /// - Parameter shown: the text as written in the file, because its value may come from the environment and be
    ///   secret.
    private func keyPath(_ text: String, shown: String, at position: SourcePosition) -> JSONPath? {
        if let path = JSONPath(text) { return path }
        report(.error, at: position, "\(shown) \(JSONPath.fault(of: shown == "\"\(text)\"" ? text : ""))")
        return nil
    }

    private func keyPath(of node: ConfigNode, _ label: String, expected: String) -> JSONPath? {
        guard !node.isBroken else { return nil }
        if node.text != nil { return keyPath(node) }
        report(.error, at: node.position, "\"\(label)\": expected \(expected), found \(node.found)")
        return nil
    }
}

extension JSONValue {
    /// Reads a scalar as YAML defines it: a plain number keeps its digits, plain `true` and `false` are booleans,
    /// everything else and everything in quotes is text. Nil for anything but a scalar.
    init?(scalar node: ConfigNode) {
        guard case .scalar(let text, let isPlain) = node.content else { return nil }
        self = .string(text)
        guard isPlain else { return }
        if let number = JSONNumber(literal: text) { self = .number(number) }
        if text == "true" || text == "false" { self = .bool(text == "true") }
    }
}
