package import Decoding
package import FoundationEssentials
internal import Hashing
package import JSON
internal import Products

/// The members by which clients find products besides those of every catalogue, as the config's `catalogue:` declares
/// them.
package struct FindableMembers: Sendable, Hashable {
    /// A member whose values each belong to one product or variant, such as a barcode.
    package struct Key: Sendable, Hashable {
        package let name: String
        /// The paths to its values; one that begins with `variants.*` belongs to a variant.
        package let paths: [ItemPath]

        package init(name: String, paths: [ItemPath]) {
            (self.name, self.paths) = (name, paths)
        }
    }

    /// A member to filter, count and sort products by.
    package struct Attribute: Sendable, Hashable {
        package let name: String
        package let path: ItemPath
        package let form: Form

        package init(name: String, path: ItemPath, form: Form) {
            (self.name, self.path, self.form) = (name, path, form)
        }

        /// Whether its values belong to variants.
        package var isOfVariants: Bool { path.isOfVariants }
    }

    /// The type of an attribute's values.
    package enum Form: Sendable, Hashable {
        /// Texts, compared without case and accents.
        case text
        /// Texts of keys, compared exactly.
        case exactText
        /// Numbers, or texts that hold one.
        case number
        /// `true` and `false`; of a number whether it is above a bound.
        case flag(above: Decimal?)
        /// The ranges between these bounds, in ascending order; a bound belongs to the range above it.
        case bands([Decimal])
    }

    package var keys: [Key] = []
    package var attributes: [Attribute] = []
    /// The members that `q` searches; nil for name, description and category.
    package var searched: [ItemPath]?
    /// The text between the names of a category's path, such as ` > `.
    package var categorySeparator: String?

    package init(
        keys: [Key] = [], attributes: [Attribute] = [], searched: [ItemPath]? = nil, categorySeparator: String? = nil
    ) {
        (self.keys, self.attributes) = (keys, attributes)
        (self.searched, self.categorySeparator) = (searched, categorySeparator)
    }

    /// Whether neither keys nor attributes are declared.
    package var isEmpty: Bool { keys.isEmpty && attributes.isEmpty }

    /// The paths to the values of a key or an attribute.
    package func paths(of name: String) -> [ItemPath] {
        keys.first { $0.name == name }?.paths ?? attribute(named: name).map { [$0.attribute.path] } ?? []
    }

    /// The attribute with a name, and its number.
    func attribute(named name: String) -> (number: Int, attribute: Attribute)? {
        attributes.firstIndex { $0.name == name }.map { ($0, attributes[$0]) }
    }
}

extension FindableMembers.Form {
    /// The texts of the ranges between bounds: `..10`, `10..25`, `25..`.
    static func bandTexts(_ bounds: [Decimal]) -> [String] {
        let texts = [""] + bounds.map(\.description) + [""]
        return zip(texts, texts.dropFirst()).map { "\($0)..\($1)" }
    }
}

extension ItemPath {
    /// Whether it leads to members of a product's variants.
    var isOfVariants: Bool {
        guard steps.count > 1, case .every = steps[1] else { return false }
        return root == SoldVariants.name
    }
}

extension FindableMembers {
    /// Digits that differ for declarations whose results may differ; none without a declaration.
    var fingerprint: String {
        guard self != FindableMembers() else { return "" }
        var json = json
        json["search"] = searched.map { .array($0.map { .string($0.description) }) }
        json["separator"] = categorySeparator.map(JSONValue.string)
        return "-\(SHA256Digest(of: JSONValue.object(json).encoded()).words[0])"
    }

    /// The declaration for operators: each key with its paths, each attribute with its path and type.
    package var json: JSONObject {
        [
            "keys": .object(
                JSONObject(keys.map { ($0.name, .array($0.paths.map { .string($0.description) })) })),
            "attributes": .object(
                JSONObject(
                    attributes.map { attribute in
                        let facts: JSONObject = [
                            "path": .string(attribute.path.description), "type": .string(attribute.form.name),
                        ]
                        return (attribute.name, .object(facts))
                    })),
        ]
    }
}

extension FindableMembers.Form {
    fileprivate var name: String {
        switch self {
        case .text, .exactText: "text"
        case .number: "number"
        case .flag: "boolean"
        case .bands(let bounds): "bands \(Self.bandTexts(bounds).joined(separator: ", "))"
        }
    }
}
