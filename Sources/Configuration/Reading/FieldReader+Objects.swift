/// The getters of mappings with fields of their own.
extension FieldReader {
    /// A reader for a field of type `.object`.
    ///
    /// Of an absent or empty mapping it reads the defaults; the required fields of such a mapping are missing from it.
    public func object(_ field: String) -> FieldReader {
        guard case .object(let fields) = spec(field).type else { mismatch(field, "mapping") }
        if let node = node(field) {
            return child(field, entries: entries(of: node, field), at: node.position, fields)
        }
        let isNoted = isPlaceholder || spec(field).requirement == .required
        return child(field, entries: isNoted ? nil : [], at: position, fields)
    }

    /// A reader for a field of type `.object`, or nil when it is absent.
    public func optionalObject(_ field: String) -> FieldReader? {
        guard case .object = spec(field).type else { mismatch(field, "mapping") }
        return node(field) == nil ? nil : object(field)
    }

    /// A reader for a field of type `.unlessOff`, or nil when it is off or absent.
    public func objectUnlessOff(_ field: String) -> FieldReader? {
        guard case .unlessOff(let fields) = spec(field).type else { mismatch(field, "off or mapping") }
        guard let node = node(field), node.text != "off" else { return nil }
        guard let entries = node.entries else {
            fail(field, node, "\"\(field)\": expected \(spec(field).type), found \(node.found)")
            return nil
        }
        return child(field, entries: entries, at: node.position, fields)
    }

    /// A reader for a node that came from `node(_:)`, for fields that may be a text or a mapping. `what` names the
    /// mapping in messages and paths.
    public func reader(for node: ConfigNode, fields: [FieldSpec], what: String) -> FieldReader {
        if node.entries == nil, !node.isNull, !node.isBroken {
            report(.error, at: node.position, "\"\(what)\": expected mapping, found \(node.found)")
        }
        return child(what, entries: node.isNull ? [] : node.entries, at: node.position, fields)
    }

    /// The entries of a mapping; nothing at all counts as an empty one.
    private func entries(of node: ConfigNode, _ field: String) -> [ConfigNode.Entry]? {
        if node.isNull { return [] }
        if let entries = node.entries { return entries }
        fail(field, node, "\"\(field)\": expected mapping, found \(node.found)")
        return nil
    }

    private func child(
        _ field: String, entries: [ConfigNode.Entry]?, at position: SourcePosition, _ fields: [FieldSpec]
    ) -> FieldReader {
        let reader = FieldReader(
            entries: entries, position: position, fields: fields, what: what.isEmpty ? field : "\(what).\(field)",
            path: subpath(field), context: context, rolePrefix: rolePrefix + field + ".")
        readers.append(reader)
        return reader
    }

    /// The way from the top to a field of this mapping.
    func subpath(_ field: String) -> String {
        path.isEmpty ? field : "\(path).\(field)"
    }

    /// The way to an element of a list.
    func subpath(_ field: String, index: Int) -> String { subpath("\(field)[\(index)]") }

    /// The way to the value of a free key. Dots in the key are escaped: what stands in the value of `a` must not have
    /// the same way as the value of `a.upstream`.
    func subpath(_ field: String, key: String) -> String {
        let escaped = key.map { $0 == "." || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return subpath("\(field).\(escaped)")
    }
}
