internal import Yams

extension ConfigDocument {
    /// The tree as YAML, with names in place of the values of environment variables.
    ///
    /// A document parsed from it in the same environment has the same tree. Comments, anchors and merges are not kept.
    package var yaml: String {
        do {
            return try Yams.serialize(
                node: Self.node(root, blocks: 2), indent: 2, width: 120, allowUnicode: true)
        } catch {
            preconditionFailure("a tree cannot be written as YAML: \(error)")
        }
    }

    /// - Parameter blocks: how many levels have a line for each value, whatever its length.
    private static func node(_ node: ConfigNode, blocks: Int) -> Node {
        let isFlow = blocks <= 0 && (node.flowLength ?? .max) <= 100
        switch node.content {
        case .null: return .scalar(Node.Scalar("~", Tag(.null), .plain))
        case .scalar(let text, let isPlain):
            return scalar(node.template ?? Interpolation.literal(text), isPlain: isPlain)
        case .sequence(let elements):
            let nodes = elements.map { Self.node($0, blocks: blocks - 1) }
            return .sequence(Node.Sequence(nodes, Tag(.seq), isFlow ? .flow : .block))
        case .mapping(let entries):
            let pairs = entries.map { entry in
                let key = scalar(entry.writtenKey, isPlain: isName(entry.writtenKey))
                return (key, Self.node(entry.value, blocks: blocks - 1))
            }
            return .mapping(Node.Mapping(pairs, Tag(.map), isFlow ? .flow : .block))
        }
    }

    private static func scalar(_ text: String, isPlain: Bool) -> Node {
        .scalar(Node.Scalar(text, Tag(.str), isPlain ? .plain : .doubleQuoted))
    }

    /// Whether a key needs no quotes; `<<` without them is a merge.
    private static func isName(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0 | 0x20 &- 97 < 26 || $0 &- 48 < 10 }
    }
}

extension ConfigNode {
    /// The length of the value on one line; nil if it is more than two levels deep.
    fileprivate var flowLength: Int? { flowLength(depth: 2) }

    private func flowLength(depth: Int) -> Int? {
        switch content {
        case .null: return 1
        case .scalar(let text, _): return (template ?? text).count + 2
        case .sequence where depth == 0, .mapping where depth == 0: return nil
        case .sequence(let elements): return Self.sum(elements.map { $0.flowLength(depth: depth - 1) })
        case .mapping(let entries):
            return Self.sum(
                entries.map { entry in entry.value.flowLength(depth: depth - 1).map { $0 + entry.key.count + 2 } })
        }
    }

    private static func sum(_ lengths: [Int?]) -> Int? {
        lengths.reduce(2) { sum, length in sum.flatMap { sum in length.map { sum + $0 + 2 } } }
    }
}
