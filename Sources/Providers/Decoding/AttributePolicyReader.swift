internal import Configuration

/// Reads `attributes` of a mapping: `keep`, `drop` or the names of those to keep.
struct AttributePolicyReader {
    private static let field = "attributes"

    private let reader: FieldReader

    init(_ reader: FieldReader) {
        self.reader = reader
    }

    func policy() -> AttributePolicy {
        guard let node = reader.node(Self.field), !node.isBroken else { return .keep }
        if let elements = node.elements { return .only(Set(elements.enumerated().compactMap { name(at: $0, $1) })) }
        switch node.text {
        case "keep": return .keep
        case "drop": return .drop
        default:
            reader.report(
                .error, at: node.position,
                "\"\(Self.field)\": expected keep, drop or list of string, found \(node.found)")
            return .drop
        }
    }

    private func name(at index: Int, _ node: ConfigNode) -> String? {
        guard !node.isBroken else { return nil }
        let place = "\"\(Self.field)[\(index)]\""
        guard let name = node.text else {
            reader.report(.error, at: node.position, "\(place): expected string, found \(node.found)")
            return nil
        }
        // Members of members come along with the one they are in, or not at all; a path would match nothing.
        guard !name.contains(".") else {
            reader.report(
                .error, at: node.position, "\(place): expected the name of a member of an item, found \(node.found)")
            return nil
        }
        return name
    }
}
