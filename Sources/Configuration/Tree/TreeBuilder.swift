internal import Yams

/// Builds the tree with positions from Yams nodes: interpolates, merges, and finds keys made equal by interpolation.
///
/// Aliases repeat a node in many places, so depth and size are limited: otherwise a file of a few lines could expand
/// beyond the memory.
struct TreeBuilder {
    let file: String
    let interpolation: Interpolation
    private(set) var problems: [Diagnostic] = []

    private var depth = 0
    private var built = 0
    private static let maximumDepth = 200
    private static let maximumNodes = 100_000
    private static let coreTags = "tag:yaml.org,2002:"

    init(file: String, interpolation: Interpolation) {
        self.file = file
        self.interpolation = interpolation
    }

    /// Builds the tree below `node`; throws if it exceeds the limits.
    mutating func build(_ node: Node) throws(ConfigurationError) -> ConfigNode {
        let position = position(of: node)
        try enter(position)
        defer { depth -= 1 }
        switch node {
        case .scalar(let scalar):
            return build(scalar, at: position, isBroken: !checkTag(scalar.tag, position))
        case .sequence(let sequence):
            let isBroken = !checkTag(sequence.tag, position)
            var elements: [ConfigNode] = []
            for element in sequence { elements.append(try build(element)) }
            return ConfigNode(.sequence(elements), at: position, isBroken: isBroken)
        case .mapping(let mapping):
            let isBroken = !checkTag(mapping.tag, position)
            return ConfigNode(.mapping(try entries(of: mapping)), at: position, isBroken: isBroken)
        case .alias:
            return ConfigNode(.null, at: position)
        }
    }

    private mutating func enter(_ position: SourcePosition) throws(ConfigurationError) {
        depth += 1
        built += 1
        if depth > Self.maximumDepth {
            throw ConfigurationError(position, "nested more than \(Self.maximumDepth) levels deep")
        }
        if built > Self.maximumNodes {
            throw ConfigurationError(position, "more than \(Self.maximumNodes) values once aliases are followed")
        }
    }

    private mutating func build(
        _ scalar: Node.Scalar, at position: SourcePosition, isBroken: Bool
    ) -> ConfigNode {
        let isPlain = scalar.style == .plain
        if isPlain, ["", "~", "null", "Null", "NULL"].contains(scalar.string) {
            return ConfigNode(.null, at: position)
        }
        guard scalar.string.contains("${") else {
            return ConfigNode(.scalar(text: scalar.string, isPlain: isPlain), at: position, isBroken: isBroken)
        }
        let pieces = pieces(of: scalar.string, at: position)
        return ConfigNode(
            .scalar(text: (pieces ?? []).map(\.value).joined(), isPlain: false), at: position,
            pieces: pieces ?? [Interpolation.Piece(written: scalar.string, value: "", isPlain: false)],
            variables: interpolation.variables(in: scalar.string), isBroken: isBroken || pieces == nil)
    }

    private mutating func entries(of mapping: Node.Mapping) throws(ConfigurationError) -> [ConfigNode.Entry] {
        var own: [ConfigNode.Entry] = []
        var merged: [ConfigNode.Entry] = []
        for (key, value) in mapping {
            let position = position(of: key)
            if let scalar = key.scalar, scalar.style == .plain, scalar.string == "<<" {
                merged += try mergedEntries(value)
            } else {
                let names = keyNames(key)
                let value = try build(value)
                guard let (name, written) = names else { continue }
                let entry = ConfigNode.Entry(key: name, writtenKey: written, keyPosition: position, value: value)
                append(entry, to: &own)
            }
        }
        for entry in merged where !own.contains(where: { $0.key == entry.key }) { own.append(entry) }
        return own
    }

    private mutating func append(_ entry: ConfigNode.Entry, to entries: inout [ConfigNode.Entry]) {
        if let first = entries.first(where: { $0.key == entry.key }) {
            let line = first.keyPosition.line
            report(entry.keyPosition, "duplicate key \"\(entry.writtenKey)\"; the first one is at line \(line)")
        } else {
            entries.append(entry)
        }
    }

    /// The entries merged by `<<`; of several mappings, the earlier wins.
    private mutating func mergedEntries(_ node: Node) throws(ConfigurationError) -> [ConfigNode.Entry] {
        let source = try build(node)
        let mappings = source.elements ?? [source]
        guard mappings.allSatisfy({ $0.entries != nil }) else {
            report(source.position, "expected a mapping or a list of mappings after \"<<\", found \(source.found)")
            return []
        }
        return mappings.flatMap { $0.entries ?? [] }
    }

    /// A key's name, and its written form.
    private mutating func keyNames(_ key: Node) -> (name: String, written: String)? {
        let position = position(of: key)
        guard let scalar = key.scalar else {
            report(position, "a key must be text, not a list or a mapping")
            return nil
        }
        return pieces(of: scalar.string, at: position).map { ($0.map(\.value).joined(), scalar.string) }
    }

    private mutating func pieces(of text: String, at position: SourcePosition) -> [Interpolation.Piece]? {
        do {
            return try interpolation.pieces(of: text)
        } catch {
            report(position, "\(error)")
            return nil
        }
    }

    private mutating func checkTag(_ tag: Tag, _ position: SourcePosition) -> Bool {
        let name = tag.rawValue
        if name.isEmpty || name == "!" || name.hasPrefix(Self.coreTags) { return true }
        report(position, "unknown YAML tag \"\(name)\"")
        return false
    }

    private mutating func report(_ position: SourcePosition, _ message: String) {
        problems.append(Diagnostic(.error, at: position, message))
    }

    private func position(of node: Node) -> SourcePosition {
        node.mark.map { SourcePosition($0, file) } ?? .whole(file)
    }
}
