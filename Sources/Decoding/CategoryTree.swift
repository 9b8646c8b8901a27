package import JSON
package import Products

/// The ids of categories in the items of a list, and the places of their names in the categories of the upstream.
package struct CategoryIDs: Sendable {
    /// The paths to the members of a category.
    package struct Members: Sendable {
        package let id: JSONPath
        package let parent: JSONPath
        package let name: JSONPath

        package init(id: JSONPath, parent: JSONPath, name: JSONPath) {
            (self.id, self.parent, self.name) = (id, parent, name)
        }
    }

    fileprivate let ids: ItemPath
    fileprivate let member: String
    fileprivate let item: JSONPath?
    package let members: Members

    /// - Parameters:
    ///   - ids: the path within an item.
    ///   - member: the member of the item that gets the categories.
    ///   - item: the path from an element of the items to the item; nil if the element is the item.
    package init(at ids: ItemPath, as member: String, item: JSONPath?, members: Members) {
        (self.ids, self.member, self.item, self.members) = (ids, member, item, members)
    }
}

/// The categories of an upstream, each with the names on its path.
package struct CategoryTree: Sendable {
    private struct Category {
        let id: JSONValue
        let name: String
        let parent: String?
    }

    private static let id = ["id"].compactMap { JSONPath($0) }.first ?? .root

    private let categories: [JSONValue]
    private let ids: Set<String>
    /// The categories that contain themselves. Their paths end before the repetition.
    package let cycles: [String]

    /// The deepest nesting. A deeper category is cut, and counts as one in a cycle.
    private static let depthLimit = 64

    /// - Throws: `ProductsFailure.malformed` for the first category without an id or a name.
    package init(_ items: [JSONValue], _ members: CategoryIDs.Members) throws(ProductsFailure) {
        var (known, order): ([String: Category], [String]) = ([:], [])
        for (index, item) in items.enumerated() {
            guard let id = item[members.id], let key = id.scalarText, let name = item[members.name]?.string else {
                throw .malformed(
                    detail:
                        "categories[\(index)]: expected an id at \"\(members.id)\" and a name at \"\(members.name)\"")
            }
            guard known[key] == nil else { continue }
            known[key] = Category(id: id, name: name, parent: item[members.parent]?.scalarText)
            order.append(key)
        }
        var (categories, cycles): ([JSONValue], [String]) = ([], [])
        for key in order {
            guard let category = known[key] else { continue }
            var (path, seen, next) = ([category.name], Set([key]), category.parent)
            // A parent that is no category, such as 0, is the root.
            while let parent = next, let above = known[parent] {
                guard seen.insert(parent).inserted, path.count < Self.depthLimit else {
                    if parent == key || path.count == Self.depthLimit { cycles.append(key) }
                    break
                }
                path.append(above.name)
                next = above.parent
            }
            let names = path.reversed().map(JSONValue.string)
            categories.append(.object(["id": category.id, "name": .string(category.name), "path": .array(names)]))
        }
        (self.categories, self.cycles, ids) = (categories, cycles, Set(order))
    }

    /// Returns items with categories in place of ids, and the ids that stay, since no category has them, with their counts.
    package func joined(_ items: [JSONValue], _ wanted: CategoryIDs) -> (items: [JSONValue], unknown: [String: Int]) {
        let list = IncludedList(
            path: .root, reference: .ids(of: wanted.ids, id: Self.id, member: wanted.member))
        guard let index = IncludedLists([list], for: [], item: wanted.item)?.index({ _ in .array(categories) }) else {
            return (items, [:])
        }
        var unknown: [String: Int] = [:]
        for element in items {
            let item = wanted.item.map { element[$0] ?? .null } ?? element
            let found = wanted.ids.values(in: item).flatMap { $0.array ?? [$0] }
            for case let id? in found.map(\.scalarText) where !ids.contains(id) { unknown[id, default: 0] += 1 }
        }
        return (items.map(index.joined), unknown)
    }
}
