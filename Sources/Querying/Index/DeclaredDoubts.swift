internal import Decoding
internal import Products

extension CatalogueIndex {
    /// Describes the declared members that do not fit the catalogue, by their names: those that no product has, values that
    /// are not of their types, and values of keys that several products have.
    /// - Parameter making: whether all are indexed for it; otherwise those alone count that are indexed already.
    package func doubts(making: Bool) -> [String: String] {
        guard catalogue.count > 0 else { return [:] }
        var doubts: [String: String] = [:]
        for (attribute, column) in zip(members.attributes, attributeColumns(making: making)) {
            doubts[attribute.name] = doubt(of: column).map {
                "attribute \"\(attribute.name)\" (\(attribute.path)): \($0)"
            }
        }
        for key in members.keys {
            let paths = key.paths.map(\.description).joined(separator: ", ")
            doubts[key.name] = keyIndex(key.name, making: making).flatMap(doubt).map {
                "key \"\(key.name)\" (\(paths)): \($0)"
            }
        }
        return doubts
    }

    private func doubt(of column: AttributeColumn) -> String? {
        if let first = column.misfits.first {
            return "\(column.misfits.count) values are not of its type, the first in product \(name(first))"
        }
        return column.isEmpty ? "no product has a value" : nil
    }

    private func doubt(of index: KeyIndex) -> String? {
        guard let first = index.duplicates.first else { return index.isEmpty ? "no product has a value" : nil }
        let products = first.positions.map(name).joined(separator: " and ")
        return "\(index.duplicates.count) products have a value of another one, first \"\(first.value)\" of \(products)"
    }

    private func name(_ position: Int) -> String { "\"\(catalogue.text(at: position).id)\"" }
}
