internal import Configuration
internal import JSON

/// Reads key paths, and reports what is none.
struct KeyPathReader {
    private let reader: FieldReader

    init(_ reader: FieldReader) {
        self.reader = reader
    }

    /// The key path that a text is.
    func path(_ text: String, at position: SourcePosition) -> JSONPath? {
        if let path = JSONPath(text) { return path }
        reader.report(
            .error, at: position, "\"\(text)\" is no key path; write names with dots between them, like data.products")
        return nil
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
        return paths.first.map { PathAlternatives($0, or: Array(paths.dropFirst())) }
    }

    private func path(of node: ConfigNode, _ label: String, expected: String) -> JSONPath? {
        guard !node.isBroken else { return nil }
        if let text = node.text { return path(text, at: node.position) }
        reader.report(.error, at: node.position, "\"\(label)\": expected \(expected), found \(node.found)")
        return nil
    }
}
