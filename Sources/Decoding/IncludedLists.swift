package import JSON

/// A list beside the items of a document, whose objects take the place of their ids in the items.
package struct IncludedList: Sendable {
    /// An item's references to the objects of a list.
    package enum Reference: Sendable {
        /// JSON:API: the identifiers `{ "type", "id" }` in the relationships of an item, and of the objects in their
        /// place.
        case relationships
        /// The ids at a path of an item, which are those at another path of the objects. A member of the item gets the
        /// objects.
        case ids(of: ItemPath, id: JSONPath, member: String)
    }

    /// The path to the list in the document.
    package let path: JSONPath
    package let reference: Reference

    package init(path: JSONPath, reference: Reference) {
        (self.path, self.reference) = (path, reference)
    }
}

/// Joins the items of a document with the lists beside them. An id that is in no list stays as it is.
package struct IncludedLists: Sendable {
    private let lists: [IncludedList]
    private let relationships: Relationships
    private let item: JSONPath

    /// Prepares the joining; nil without lists.
    /// - Parameters:
    ///   - paths: the paths within an item that are read. Only relationships on their way are joined, so that objects
    ///     which refer to each other come to an end.
    ///   - item: the path from an element of the items to the item.
    package init?(_ lists: [IncludedList], for paths: [ItemPath], item: JSONPath? = nil) {
        guard !lists.isEmpty else { return nil }
        self.lists = lists
        self.item = item ?? .root
        relationships = Relationships(paths)
    }

    /// Whether a path of the mapping leads through a relationship of JSON:API.
    package static func areReached(by mapping: CatalogueMapping) -> Bool { !Relationships(mapping.paths).isEmpty }

    /// The bytes of objects in a joined element, and of ids without one; more than a limit for any number beyond it.
    func joinedLength(of element: JSONValue, within limit: Int) -> Int {
        guard let item = element[item] else { return 0 }
        let members = lists.compactMap { list in
            if case .ids(_, _, let member) = list.reference { item.object?[member] } else { nil }
        }
        var length = 0
        for element in (relationships.data(of: item) + members).flatMap({ $0.array ?? [$0] }) where length <= limit {
            length += element.length(within: limit - length)
        }
        return length
    }

    /// Returns the ids of a joined item that are in no list, with the places where they stand.
    func danglingIDs(of item: JSONValue) -> [(place: String, id: JSONValue)] {
        var found = relationships.danglingIDs(of: item)
        for case .ids(let ids, _, let member) in lists.map(\.reference) {
            guard let value = item.object?[member] else { continue }
            for id in value.array ?? [value] where id.object == nil && !["", "0", nil].contains(id.scalarText) {
                found.append((ids.description, id))
            }
        }
        return found
    }

    /// Indexes the lists of a document.
    /// - Parameter list: returns the value at the path of a list.
    package func index(_ list: (JSONPath) throws -> JSONValue?) rethrows -> IncludeIndex {
        try IncludeIndex(lists.map { ($0, try list($0.path)?.array ?? []) }, relationships, item: item)
    }
}

/// The objects of the lists in one document, by their ids.
package struct IncludeIndex {
    private let item: JSONPath
    private let resources: Resources
    private let lists: [(ids: ItemPath, member: String, objects: [String: JSONValue])]

    /// Indexes the elements of lists; the first of several with one id counts.
    fileprivate init(_ lists: [(IncludedList, [JSONValue])], _ relationships: Relationships, item: JSONPath) {
        self.item = item
        var (objects, keyedLists): ([Identifier: JSONObject], [(ItemPath, String, [String: JSONValue])]) = ([:], [])
        for (list, elements) in lists {
            switch list.reference {
            case .relationships:
                for case .object(let object) in elements {
                    if let identifier = Identifier(object), objects[identifier] == nil { objects[identifier] = object }
                }
            case .ids(let ids, let path, let member):
                let keyed = elements.compactMap { element in element[path]?.scalarText.map { ($0, element) } }
                keyedLists.append((ids, member, Dictionary(keyed) { first, _ in first }))
            }
        }
        (self.lists, resources) = (keyedLists, Resources(relationships, objects))
    }

    /// Returns an element of the items with objects in place of the ids.
    package func joined(_ element: JSONValue) -> JSONValue {
        joined(element, at: item.components[...])
    }

    /// The places of ids in an item, for joining its text.
    var references: [ItemJoin.Reference] {
        resources.related.map { name, objects in
            let data = ItemPath([Relationships.member, name, Relationships.data].map(ItemPath.Step.child))
            return ItemJoin.Reference(ids: data, member: nil) { objects.object(of: $0) }
        }
            + lists.map { list in
                ItemJoin.Reference(ids: list.ids, member: list.member) { Self.object($0, in: list.objects) }
            }
    }

    private static func object(_ id: JSONValue, in objects: [String: JSONValue]) -> JSONValue {
        id.scalarText.flatMap { objects[$0] } ?? id
    }

    private func joined(_ value: JSONValue, at path: ArraySlice<String>) -> JSONValue {
        guard var object = value.object else { return value }
        if let name = path.first {
            object[name] = object[name].map { joined($0, at: path.dropFirst()) }
        } else {
            object = resources.joined(object)
            for (ids, member, objects) in lists {
                let found = { (id: JSONValue) in Self.object(id, in: objects) }
                let values = ids.leadsToList ? JSONValue.array(ids.values(in: value)) : ids.first(in: value)
                guard let values, values.array?.isEmpty != true else { continue }
                object[member] = values.array.map { .array($0.map(found)) } ?? found(values)
            }
        }
        return .object(object)
    }
}

/// The type and id of a resource of JSON:API.
private struct Identifier: Hashable {
    let type: String
    let id: String

    init?(_ object: JSONObject) {
        guard let type = object["type"]?.scalarText, let id = object["id"]?.scalarText else { return nil }
        (self.type, self.id) = (type, id)
    }
}

/// The resources of a document, as they are in the place of an identifier. One with relationships of its own is joined
/// when it is first asked for, so that all items share it.
private final class Resources {
    let related: [String: Resources]
    private let objects: [Identifier: JSONObject]
    private var known: [Identifier: JSONValue] = [:]

    init(_ relationships: Relationships, _ objects: [Identifier: JSONObject]) {
        self.objects = objects
        related = relationships.named.mapValues { Resources($0, objects) }
    }

    func object(of identifier: JSONValue) -> JSONValue {
        guard let key = identifier.object.flatMap(Identifier.init), let object = objects[key] else { return identifier }
        if related.isEmpty { return .object(object) }
        if let known = known[key] { return known }
        let joined = JSONValue.object(joined(object))
        known[key] = joined
        return joined
    }

    func joined(_ object: JSONObject) -> JSONObject {
        guard !related.isEmpty, var members = object[Relationships.member]?.object else { return object }
        for (name, resources) in related {
            guard var relationship = members[name]?.object, let data = relationship[Relationships.data] else {
                continue
            }
            relationship[Relationships.data] =
                data.array.map { .array($0.map(resources.object)) } ?? resources.object(of: data)
            members[name] = .object(relationship)
        }
        var object = object
        object[Relationships.member] = .object(members)
        return object
    }
}

/// The JSON:API relationships on mapped paths, nested like the paths.
private struct Relationships: Sendable {
    static let member = "relationships"
    static let data = "data"

    private(set) var named: [String: Relationships] = [:]

    var isEmpty: Bool { named.isEmpty }

    private init() {}

    init(_ paths: [ItemPath]) {
        for path in paths { insert(path.steps[...]) }
    }

    /// The identifiers of an item, or the objects in their place.
    func data(of item: JSONValue) -> [JSONValue] {
        let members = item.object?[Self.member]?.object
        return named.keys.compactMap { members?[$0]?.object?[Self.data] }.filter { !$0.isNull }
    }

    /// Returns the identifiers without an object in a joined one, with the names of their relationships.
    func danglingIDs(of object: JSONValue) -> [(place: String, id: JSONValue)] {
        guard !isEmpty, let members = object.object?[Self.member]?.object else { return [] }
        return named.sorted { $0.key < $1.key }.flatMap { name, inner in
            let data = members[name]?.object?[Self.data]
            return (data?.array ?? [data].compactMap(\.self)).flatMap { element -> [(place: String, id: JSONValue)] in
                guard let resource = element.object, let id = resource["id"] else { return [] }
                if resource["attributes"] != nil || resource[Self.member] != nil {
                    return inner.danglingIDs(of: element)
                }
                return [(name, id)]
            }
        }
    }

    /// - Parameter steps: `relationships.NAME.data`, elements of that, and the like again behind it.
    private mutating func insert(_ steps: ArraySlice<ItemPath.Step>) {
        guard case .child(Self.member)? = steps.first, case .child(let name)? = steps.dropFirst().first,
            case .child(Self.data)? = steps.dropFirst(2).first
        else { return }
        let rest = steps.dropFirst(3).drop { step in
            if case .child(let name) = step { Int(name) != nil } else { true }
        }
        named[name, default: Relationships()].insert(rest)
    }
}
