internal import Configuration
internal import PolymorphicCodable
internal import Products

/// Reads `type` of a mapping: the kind of every item, or where an item tells it.
struct TypeRuleReader {
    private let reader: FieldReader
    private let unknownKinds: UnknownKindPolicy

    init(_ reader: FieldReader, unknownKinds: UnknownKindPolicy) {
        self.reader = reader
        self.unknownKinds = unknownKinds
    }

    func rule() -> TypeRule? {
        guard let node = reader.node("type"), !node.isBroken else { return nil }
        if let constant = node.text {
            check(constant, node)
            return .constant(constant)
        }
        let inner = reader.reader(for: node, fields: CatalogueMapping.typeFields, what: "type")
        let map = inner.stringMap("map")
        for entry in inner.node("map")?.entries ?? [] where !entry.value.isBroken {
            if let kind = entry.value.text { check(kind, entry.value) }
        }
        let otherwise = inner.optionalString("otherwise")
        if let otherwise, let node = inner.node("otherwise") { check(otherwise, node) }
        guard let paths = KeyPathReader(inner).alternatives("path") else { return nil }
        return .path(
            paths, map: Dictionary(map.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }), otherwise: otherwise)
    }

    /// A kind that the config itself names must be one, where unknown ones are refused: no item of it could ever pass.
    private func check(_ kind: String, _ node: ConfigNode) {
        guard unknownKinds == .reject, ProductKind(rawValue: kind) == nil else { return }
        let known = ProductKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        reader.report(.error, at: node.position, "\"type\": unknown kind \(node.found); known are \(known)")
    }
}
