/// The getters of lists and of mappings with free keys.
extension FieldReader {
    /// The texts of a field of type `.list(.string)`, `.list(.url)` or `.list(.path)`; none when it is absent.
    public func strings(_ field: String) -> [String] {
        guard case .list(let type) = spec(field).type else { mismatch(field, "list") }
        return elements(of: field).enumerated().compactMap { index, node in
            text(of: node, type, field: field, label: "\(field)[\(index)]")
        }
    }

    /// The durations of a field of type `.list(.duration)`.
    public func durations(_ field: String) -> [Duration] {
        guard case .list(.duration) = spec(field).type else { mismatch(field, "list of durations") }
        return elements(of: field).enumerated().compactMap { index, node in
            value(of: node, .duration, field: field, label: "\(field)[\(index)]")
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

    /// The keys and values of a field of type `.map(.any)`, in the order of the file, for values of several types; none
    /// if it is absent. A value with a reported problem is left out.
    public func entries(_ field: String) -> [ConfigNode.Entry] {
        guard case .map(.any) = spec(field).type else { mismatch(field, "mapping of anything") }
        return members(of: field).filter { !$0.value.isBroken }
    }

    /// The keys of a field of type `.map(.object)`, in the order of the file, each with a reader of its value; none when
    /// it is absent.
    public func objects(_ field: String) -> [(key: String, reader: FieldReader)] {
        guard case .map(.object(let fields)) = spec(field).type else { mismatch(field, "mapping of mappings") }
        return members(of: field).map { entry in
            (entry.key, reader(for: entry.value, fields: fields, what: "\(field).\(escaped(entry.writtenKey))"))
        }
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

    /// Traps: the getter does not fit the declared type of `field`.
    func mismatch(_ field: String, _ type: String) -> Never {
        preconditionFailure(
            "\"\(field)\" in \"\(what)\" is declared as \(spec(field).type) and read as \(type)")
    }

    private func failShape(_ field: String, _ node: ConfigNode) {
        context.resolver.countReferences(in: node)
        fail(field, node, "\"\(field)\": expected \(spec(field).type), found \(node.foundUnspaced)")
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

/// The getters of mappings with declared fields.
extension FieldReader {
    /// A reader for a field of type `.object`.
    /// For an absent or empty mapping it reads the defaults, and reports required fields as missing.
    /// For an absent or empty mapping it reads the defaults, and reports its required fields as missing.
    public func object(_ field: String) -> FieldReader {
        guard case .object(let fields) = spec(field).type else { mismatch(field, "mapping") }
        if let node = node(field) {
            return child(field, entries: entries(of: node, field), at: node.position, fields)
        }
        let isNoted = isPlaceholder || spec(field).requirement == .required
        return child(field, entries: isNoted ? nil : [], at: position, fields)
    }

    /// A reader for a field of type `.object`, or nil when it is absent.
    ///
    /// - Parameter example: a valid value, for the message about one that is not a mapping.
    public func optionalObject(_ field: String, like example: String? = nil) -> FieldReader? {
        guard case .object = spec(field).type else { mismatch(field, "mapping") }
        guard let node = node(field) else { return nil }
        if let example, !node.isBroken, !node.isNull, node.entries == nil {
            fail(field, node, "\"\(field)\": expected mapping, found \(node.foundUnspaced); write it like \(example)")
            return nil
        }
        return object(field)
    }

    /// A reader for a field of type `.unlessOff`, or nil when it is off or absent.
    public func objectUnlessOff(_ field: String) -> FieldReader? {
        guard case .unlessOff(let fields) = spec(field).type else { mismatch(field, "off or mapping") }
        guard let node = node(field), node.text != "off" else { return nil }
        guard let entries = node.entries else {
            fail(field, node, "\"\(field)\": expected \(spec(field).type), found \(node.foundUnspaced)")
            return nil
        }
        return child(field, entries: entries, at: node.position, fields)
    }

    /// A reader for a node that came from `node(_:)`, for fields that may be a text or a mapping. `what` names the
    /// mapping in messages and paths.
    public func reader(for node: ConfigNode, fields: [FieldSpec], what: String) -> FieldReader {
        if node.entries == nil, !node.isNull, !node.isBroken {
            report(.error, at: node.position, "\"\(what)\": expected mapping, found \(node.foundUnspaced)")
        }
        return child(what, entries: node.isNull ? [] : node.entries, at: node.position, fields)
    }

    /// The entries of a mapping; null counts as empty.
    private func entries(of node: ConfigNode, _ field: String) -> [ConfigNode.Entry]? {
        if node.isNull { return [] }
        if let entries = node.entries { return entries }
        fail(field, node, "\"\(field)\": expected mapping, found \(node.foundUnspaced)")
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

    /// The path of a field of this mapping from the top.
    func subpath(_ field: String) -> String {
        path.isEmpty ? field : "\(path).\(field)"
    }

    /// The path of an element of a list.
    func subpath(_ field: String, index: Int) -> String { subpath("\(field)[\(index)]") }

    /// The path of the value of a free key. Dots in the key are escaped: a field of the value of `a` must not have the
    /// same path as the value of `a.upstream`.
    func subpath(_ field: String, key: String) -> String {
        subpath("\(field).\(escaped(key))")
    }

    private func escaped(_ key: String) -> String {
        key.map { $0 == "." || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
    }
}
