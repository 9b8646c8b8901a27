internal import Decoding
internal import JSON

/// The part of the tree of categories that a request wants.
package struct CategoriesQuery: Sendable, Hashable {
    /// The name, or the id, of the category whose subcategories are wanted; nil for the roots.
    package let under: String?
    /// The levels that are wanted; nil for all.
    package let depth: Int?

    package init(under: String? = nil, depth: Int? = nil) {
        (self.under, self.depth) = (under, depth)
    }

    /// The document without categories.
    package static let none = Array(#"{"categories":[]}"#.utf8)

    /// The JSON document of this part of a tree. Of several categories with one name all subcategories are listed.
    /// - Parameter separator: the text between the names of a path; nil if paths name no category.
    package func document(of tree: [CategoryCount], separator: String?) -> [UInt8] {
        let roots = under.map { CategoryCount.below($0, in: tree, separator) } ?? tree
        return JSONValue.object(["categories": .array(roots.map { $0.json(depth: depth ?? .max) })]).encoded()
    }
}

extension CategoryCount {
    /// Whether a category of a tree has this name, id or path.
    static func isIn(_ tree: [CategoryCount], named name: String, _ separator: String?) -> Bool {
        tree.contains { $0.isNamed(name, separator) || isIn($0.below, named: name, separator) }
    }

    private func isNamed(_ name: String, _ separator: String?) -> Bool {
        path.last == name || id?.scalarText == name || separator.map { path.joined(separator: $0) == name } ?? false
    }

    fileprivate static func below(
        _ name: String, in tree: [CategoryCount], _ separator: String?
    ) -> [CategoryCount] {
        tree.flatMap { category in
            category.isNamed(name, separator) ? category.below : below(name, in: category.below, separator)
        }
    }

    fileprivate func json(depth: Int) -> JSONValue {
        var json: JSONObject = ["name": .string(path.last ?? "")]
        json["id"] = id
        json["path"] = .array(path.map(JSONValue.string))
        json["count"] = .number(JSONNumber(count))
        if depth > 1, !below.isEmpty { json["categories"] = .array(below.map { $0.json(depth: depth - 1) }) }
        return .object(json)
    }
}
