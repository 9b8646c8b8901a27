package import Configuration
internal import Decoding
internal import FoundationEssentials
internal import JSON
internal import Products
package import Querying
internal import Text

/// The config file's `catalogue:`: the members by which clients find products.
package enum CatalogueSection {
    /// The section's keys.
    package static let fields: [FieldSpec] = [
        .optional(
            "keys", .map(.any),
            "members whose values each belong to one product or variant, by the name of the lookup: a path or a list of paths, "
                + "such as sku: [sku, \"variants.*.sku\"]"),
        .optional(
            "attributes", .map(.any),
            "members to filter, count and sort by, by the name of the parameter: a path, or path with type (text, number or "
                + "boolean), above (the bound of a boolean of numbers) or bands (the bounds of ranges)"),
        .optional(
            "search", .list(.string),
            "the members that q searches: names of keys and attributes, or paths; without it name, description and category"
        ),
        .optional("categories", .object(categoryFields), "how categories are nested"),
    ]

    private static let categoryFields: [FieldSpec] = [
        .optional(
            "separator", .string, "the text between the names of a category's path, such as \" > \"")
    ]

    private static let attributeFields: [FieldSpec] = [
        .required("path", .any, "where its values are"),
        .defaulted("type", .choice(AttributeType.self), "text", "the type of its values"),
        .optional("above", .any, "a number: it is true of greater ones"),
        .optional("bands", .any, "the bounds of ranges, in ascending order"),
    ]

    private enum AttributeType: String, CaseIterable {
        case text, number, boolean
    }

    private static let most = 64

    /// Reads the section.
    package static func members(_ reader: FieldReader) -> FindableMembers {
        var names = Names(reader)
        let keys = reader.entries("keys").compactMap { entry -> FindableMembers.Key? in
            let paths = reader.itemPaths(entry.value, "keys.\(entry.writtenKey)")?.paths
            guard names.reserve(entry, nil), let paths else { return nil }
            return FindableMembers.Key(name: entry.key, paths: paths)
        }
        let attributes = reader.entries("attributes").compactMap { entry -> FindableMembers.Attribute? in
            guard let attribute = attribute(entry, reader), names.reserve(entry, attribute.form) else { return nil }
            return attribute
        }
        var members = FindableMembers(keys: keys, attributes: attributes)
        members.searched = searched(reader, members)
        members.categorySeparator = reader.object("categories").optionalString("separator").flatMap { separator in
            if separator.isEmpty {
                reader.report(.error, at: "categories", "\"separator\": expected a text, found none")
                return nil
            }
            return separator
        }
        return members
    }

    private static func attribute(_ entry: ConfigNode.Entry, _ reader: FieldReader) -> FindableMembers.Attribute? {
        let label = "attributes.\(entry.writtenKey)"
        guard entry.value.entries != nil else {
            return reader.itemPath(of: entry.value, label, expected: "string or mapping").map {
                FindableMembers.Attribute(name: entry.key, path: $0, form: .text)
            }
        }
        let own = reader.reader(for: entry.value, fields: attributeFields, what: label)
        let path = own.node("path").flatMap { own.itemPath(of: $0, "path", expected: "string") }
        guard let form = form(own, own.choice("type", AttributeType.self)), let path else { return nil }
        return FindableMembers.Attribute(name: entry.key, path: path, form: form)
    }

    private static func form(_ reader: FieldReader, _ type: AttributeType) -> FindableMembers.Form? {
        let (above, bands) = (reader.node("above"), reader.node("bands"))
        if let above, type != .boolean {
            reader.report(.error, at: above.position, "\"above\" is the bound of a boolean; write \"type: boolean\"")
            return nil
        }
        if let bands {
            if above != nil || reader.has("type"), type != .number {
                reader.report(.error, at: bands.position, "\"bands\" are ranges of numbers, without another type")
                return nil
            }
            return self.bands(bands, reader)
        }
        switch type {
        case .text: return .text
        case .number: return .number
        case .boolean:
            guard let above else { return .flag(above: nil) }
            guard let bound = number(above) else {
                reader.report(.error, at: above.position, "\"above\": expected number, found \(above.found)")
                return nil
            }
            return .flag(above: bound)
        }
    }

    private static func bands(_ node: ConfigNode, _ reader: FieldReader) -> FindableMembers.Form? {
        let bounds = (node.elements ?? []).compactMap(number)
        guard !bounds.isEmpty, bounds.count == node.elements?.count, bounds.count <= most,
            zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 })
        else {
            reader.report(
                .error, at: node.position,
                "\"bands\": expected at most \(most) numbers in ascending order, like [10, 25, 50], found \(node.found)"
            )
            return nil
        }
        return .bands(bounds)
    }

    private static func number(_ node: ConfigNode) -> Decimal? {
        node.text.flatMap { JSONNumber(literal: $0) }.flatMap { ExactDecimal($0) }?.value
    }

    private static func searched(_ reader: FieldReader, _ members: FindableMembers) -> [ItemPath]? {
        guard let node = reader.node("search"), !node.isBroken else { return nil }
        let texts = reader.strings("search")
        if texts.isEmpty {
            reader.report(.error, at: node.position, "\"search\": expected at least one member, found none")
            return nil
        }
        let nodes = node.elements ?? []
        return zip(texts, nodes).flatMap { text, node in
            let declared = members.paths(of: text)
            return declared.isEmpty ? reader.itemPath(node).map { [$0] } ?? [] : declared
        }
    }

    /// The names of parameters that are taken.
    private struct Names {
        private let reader: FieldReader
        private var taken: Set<String>
        /// The names of parameters and sort keys of every catalogue.
        private let common = Set(
            ProductsQueryParameter.allCases.map(\.rawValue) + ProductsSortKey.Member.allCases.map(\.rawValue))
        private var count = 0

        init(_ reader: FieldReader) {
            self.reader = reader
            taken = common
        }

        /// Reserves the parameters that a key or attribute makes; false, with a report, if its name cannot be one.
        mutating func reserve(_ entry: ConfigNode.Entry, _ form: FindableMembers.Form?) -> Bool {
            let name = entry.key
            let isName =
                name.utf8.first.map { $0 | 0x20 &- 97 < 26 } ?? false
                && name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0 &- 48 < 10 || ($0 | 0x20) &- 97 < 26 }
            guard isName, name.utf8.count <= 64 else {
                reader.report(
                    .error, at: entry.keyPosition,
                    "\"\(entry.writtenKey)\" cannot be a parameter; a letter and letters, digits and \"_\" behind it make one"
                )
                return false
            }
            let own = DeclaredParameter.names(of: name, form)
            if let other = own.first(where: { taken.contains($0) }) {
                reader.report(
                    .error, at: entry.keyPosition,
                    "\"\(entry.writtenKey)\": "
                        + (common.contains(other)
                            ? "\"\(other)\" is a parameter or sort key of every catalogue; choose another name"
                            : "there is a parameter \"\(other)\" already; choose another name"))
                return false
            }
            taken.formUnion(own)
            count += 1
            if count > most {
                reader.report(.error, at: entry.keyPosition, "more than \(most) keys and attributes")
                return false
            }
            return true
        }
    }
}
