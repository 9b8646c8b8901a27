/// The getters of lists and of mappings with free keys.
extension FieldReader {
    /// The texts of a field of type `.list(.string)`, `.list(.url)` or `.list(.path)`; none when it is absent.
    public func strings(_ field: String) -> [String] {
        guard case .list(let type) = spec(field).type else { mismatch(field, "list") }
        return elements(of: field).enumerated().compactMap { index, node in
            text(of: node, type, field: field, label: "\(field)[\(index)]")
        }
    }

    /// The keys and texts of a field of type `.map(.string)`, `.map(.url)` or `.map(.path)`, in the order of the file;
    /// none when it is absent.
    public func stringMap(_ field: String) -> [(key: String, value: String)] {
        guard case .map(let type) = spec(field).type else { mismatch(field, "mapping") }
        return members(of: field).compactMap { entry in
            text(of: entry.value, type, field: field, label: "\(field).\(entry.writtenKey)").map { (entry.key, $0) }
        }
    }

    /// The keys and values of a field of type `.map(.any)`, in the order of the file, for values that may be of several
    /// types; none when it is absent. A value whose problem is already noted is left out.
    public func entries(_ field: String) -> [ConfigNode.Entry] {
        guard case .map(.any) = spec(field).type else { mismatch(field, "mapping of anything") }
        return members(of: field).filter { !$0.value.isBroken }
    }

    /// The elements of a list, none when the field is absent or is no list.
    func elements(of field: String) -> [ConfigNode] {
        guard let node = node(field) else { return [] }
        if let elements = node.elements { return elements }
        failShape(field, node)
        return []
    }

    /// The entries of a mapping, none when the field is absent or is no mapping.
    func members(of field: String) -> [ConfigNode.Entry] {
        guard let node = node(field) else { return [] }
        if let entries = node.entries { return entries }
        failShape(field, node)
        return []
    }

    /// Traps: `field` is not declared as what it is read as.
    func mismatch(_ field: String, _ type: String) -> Never {
        preconditionFailure(
            "\"\(field)\" in \"\(what)\" is declared as \(spec(field).type) and read as \(type)")
    }

    private func failShape(_ field: String, _ node: ConfigNode) {
        context.resolver.noteMentions(in: node)
        fail(field, node, "\"\(field)\": expected \(spec(field).type), found \(node.found)")
    }

    private func text(of node: ConfigNode, _ type: FieldType, field: String, label: String) -> String? {
        switch type {
        case .string: value(of: node, .string, field: field, label: label)
        case .url: value(of: node, .url, field: field, label: label)
        case .path: value(of: node, .path, field: field, label: label)
        default: mismatch(field, "texts")
        }
    }
}
