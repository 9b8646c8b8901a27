internal import Configuration
internal import Decoding
internal import JSON
internal import Products
internal import Text

extension FieldReader {
    /// Reads the key path in a key.
    func keyPath(keyOf entry: ConfigNode.Entry) -> JSONPath? {
        keyPath(entry.key, shown: "\"\(entry.writtenKey)\"", at: entry.keyPosition)
    }

    /// Reads the key path of a field of type `.string`.
    func keyPath(_ field: String) -> JSONPath? {
        guard optionalString(field) != nil else { return nil }
        return node(field).flatMap { node in
            node.text.flatMap { keyPath($0, shown: node.found, at: node.position) }
        }
    }

    /// Reads the path within an item in a key.
    func itemPath(keyOf entry: ConfigNode.Entry) -> ItemPath? {
        if let path = ItemPath(entry.key) { return path }
        reportNoPath(entry.key, ItemPath.fault, shown: "\"\(entry.writtenKey)\"", at: entry.keyPosition)
        return nil
    }

    /// Reads the path within an item in a text; nil for anything but a text.
    func itemPath(_ node: ConfigNode) -> ItemPath? {
        guard let text = node.text else { return nil }
        if let path = ItemPath(text) { return path }
        reportNoPath(text, ItemPath.fault, shown: node.found, at: node.position)
        return nil
    }

    /// Reads one path within an item, or several in order of preference, from a field of type `.any`.
    func itemPaths(_ field: String) -> PathAlternatives? {
        node(field).flatMap { itemPaths($0, field) }
    }

    /// - Parameter label: names the node in messages.
    func itemPaths(_ node: ConfigNode, _ label: String) -> PathAlternatives? {
        guard !node.isBroken else { return nil }
        guard let elements = node.elements else {
            return itemPath(of: node, label, expected: "string or list of string").map { PathAlternatives($0) }
        }
        let paths = elements.enumerated().compactMap { itemPath(of: $1, "\(label)[\($0)]", expected: "string") }
        if elements.isEmpty {
            report(.error, at: node.position, "\"\(label)\": expected at least one key path, found none")
        }
        return PathAlternatives(paths)
    }

    /// Reads `path` of an entry of `fields`, with its `locale`.
    func localizedPaths(for entry: ConfigNode.Entry, _ type: MemberType) -> PathAlternatives? {
        let paths = itemPaths("path")
        guard let node = node("locale"), !node.isBroken else { return paths }
        guard [.text, .categories, .other].contains(type) else {
            report(.error, at: "locale", "\"locale\" is for texts, and \"\(entry.writtenKey)\" is none")
            return nil
        }
        guard let languages = languages(node, "locale") else { return nil }
        return paths.flatMap { PathAlternatives($0.paths.map { $0.localized(languages) }) }
    }

    /// Reads `localized` of an entry of `fields`: the same member in further languages, as an attribute. A list names the
    /// languages, a mapping also the upstream's.
    func localized(_ field: FieldMapping, written: String, _ type: MemberType) -> [FieldMapping] {
        guard let node = node("localized"), !node.isBroken, let paths = itemPaths("path") else { return [] }
        let member = field.ours.description
        guard [.text, .categories, .other].contains(type), field.ours.components.count == 1,
            LocalizedTexts.isText(member)
        else {
            report(.error, at: "localized", "\"localized\" is for texts, and \"\(written)\" is none")
            return []
        }
        var wanted: [(tag: String, languages: LanguageRanges)] = []
        for entry in node.entries ?? [] {
            if !LanguageRanges.isTag(entry.key) {
                report(
                    .error, at: entry.keyPosition,
                    "\"localized\": expected a language like de or pt-BR, found \"\(entry.writtenKey)\"")
            } else if let languages = languages(entry.value, "localized.\(entry.writtenKey)") {
                wanted.append((entry.key, languages))
            }
        }
        for node in node.entries == nil ? node.elements ?? [node] : [] {
            if let languages = languages(node, "localized"), let tag = node.text { wanted.append((tag, languages)) }
        }
        return wanted.compactMap { tag, languages in
            guard let ours = JSONPath("\(LocalizedTexts.name).\(member).\(tag)") else { return nil }
            var text = field
            (text.ours, text.fallback) = (ours, nil)
            text.theirs = PathAlternatives(paths.paths.map { $0.localized(languages) }) ?? field.theirs
            return text
        }
    }

    private func languages(_ node: ConfigNode, _ label: String) -> LanguageRanges? {
        let nodes = node.elements ?? [node]
        let tags = nodes.compactMap { node -> String? in
            guard !node.isBroken else { return nil }
            guard let text = node.text, LanguageRanges.isTag(text) else {
                report(
                    .error, at: node.position, "\"\(label)\": expected a language like en or en-GB, found \(node.found)"
                )
                return nil
            }
            return text
        }
        if nodes.isEmpty {
            report(.error, at: node.position, "\"\(label)\": expected at least one language, found none")
        }
        return tags.count == nodes.count ? LanguageRanges(tags) : nil
    }

    private func keyPath(_ text: String, shown: String, at position: SourcePosition) -> JSONPath? {
        if let path = JSONPath(text) { return path }
        reportNoPath(text, JSONPath.fault, shown: shown, at: position)
        return nil
    }

    /// - Parameter shown: the text as written in the file, because it may come from the environment, where secrets are.
    private func reportNoPath(
        _ text: String, _ fault: (String) -> String, shown: String, at position: SourcePosition
    ) {
        report(.error, at: position, "\(shown) \(fault(shown == "\"\(text)\"" ? text : ""))")
    }

    func itemPath(of node: ConfigNode, _ label: String, expected: String) -> ItemPath? {
        guard !node.isBroken else { return nil }
        if node.text != nil { return itemPath(node) }
        report(.error, at: node.position, "\"\(label)\": expected \(expected), found \(node.found)")
        return nil
    }
}

extension ConfigNode {
    /// The scalars in it.
    var scalars: [ConfigNode] {
        switch content {
        case .null: []
        case .scalar: [self]
        case .sequence(let elements): elements.flatMap(\.scalars)
        case .mapping(let entries): entries.flatMap(\.value.scalars)
        }
    }
}

extension JSONValue {
    /// Reads a whole tree; nil where a part of it is broken.
    init?(tree node: ConfigNode) {
        switch node.content {
        case _ where node.isBroken: return nil
        case .null: self = .null
        case .scalar: self.init(scalar: node)
        case .sequence(let elements):
            let values = elements.compactMap { JSONValue(tree: $0) }
            guard values.count == elements.count else { return nil }
            self = .array(values)
        case .mapping(let entries):
            let members = entries.compactMap { entry in JSONValue(tree: entry.value).map { (entry.key, $0) } }
            guard members.count == entries.count else { return nil }
            self = .object(JSONObject(members))
        }
    }

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
