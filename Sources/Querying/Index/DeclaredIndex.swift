internal import Decoding
internal import Products

/// The columns of the declared attributes, in their order, and the indexes of the declared keys. One walk over the
/// products makes all.
struct DeclaredIndex: Sendable {
    let columns: [AttributeColumn]
    let keys: [String: KeyIndex]

    init(_ members: FindableMembers, of catalogue: Catalogue) {
        var columns = members.attributes.map { AttributeBuilder($0.form) }
        var keys = members.keys.map { _ in KeyIndex(of: catalogue) }
        let scan = MemberScan(members.attributes.map { [$0.path] } + members.keys.map(\.paths))
        for (position, range) in catalogue.ranges.enumerated() {
            scan.scan(catalogue.encoded, range) { bytes, found in
                if found.member < columns.count {
                    columns[found.member].append(bytes, found.range, at: position)
                } else {
                    keys[found.member - columns.count].append(bytes, found, at: position)
                }
            }
        }
        self.columns = columns.map { AttributeColumn($0, outOf: catalogue.count) }
        self.keys = Dictionary(uniqueKeysWithValues: zip(members.keys.map(\.name), keys))
    }

    var byteCount: Int {
        columns.reduce(0) { $0 + $1.byteCount } + keys.values.reduce(0) { $0 + $1.byteCount }
    }
}

extension CatalogueIndex {
    /// Describes the declared members that do not fit the catalogue, by name: members that no product has, values of
    /// other types, and values of keys that several products have.
    /// - Parameter making: whether all members are indexed for this; otherwise only members that are indexed already
    ///   are described.
    package func doubts(making: Bool) -> [String: String] {
        guard catalogue.count > 0, !members.isEmpty, let declared = declared(making: making) else { return [:] }
        var doubts: [String: String] = [:]
        for (attribute, column) in zip(members.attributes, declared.columns) {
            doubts[attribute.name] = doubt(of: column).map {
                "attribute \"\(attribute.name)\" (\(attribute.path)): \($0)"
            }
        }
        for key in members.keys {
            let paths = key.paths.map(\.description).joined(separator: ", ")
            doubts[key.name] = declared.keys[key.name].flatMap(doubt).map {
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
        let products = first.holders.map { "\"\($0.name(in: catalogue))\"" }.joined(separator: " and ")
        return "\(index.duplicates.count) products or variants have a value of another one, first \"\(first.value)\""
            + " of \(products)"
    }

    private func name(_ position: Int) -> String { "\"\(catalogue.text(at: position).id)\"" }
}
