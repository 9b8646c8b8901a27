internal import JSON

/// An array of an upstream's document whose elements have items.
struct ItemList {
    /// The path to the array; empty if it is the document.
    let path: String
    /// The way from an element to its item; nil if the element is the item.
    let item: String?
    let items: [JSONValue]
}

/// The lists in a document, and the members around them.
struct DocumentItems {
    private static let depthLimit = 6
    /// The members of an element that hold its item.
    private static let wrappers = ["node", "product", "item"]

    let document: JSONValue
    /// Lists with at least one object, in the order of the document.
    private(set) var lists: [ItemList] = []
    /// The paths of arrays without elements.
    private(set) var emptyPaths: [String] = []
    /// The scalars around the lists, by their paths; null too.
    private(set) var envelope: [(path: String, value: JSONValue)] = []
    /// Members around the lists that no path can name.
    private(set) var unreachable: [(path: String, value: JSONValue)] = []

    init(_ document: JSONValue) {
        self.document = document
        search(document, at: [])
    }

    /// Returns the list at a stated path.
    func list(at path: String, item: String?) throws(DraftProblem) -> ItemList {
        let place = path.isEmpty || path == "." ? JSONPath.root : JSONPath(path)
        guard let elements = place.flatMap({ document[$0] })?.array else {
            throw .failure("there is no array at \"\(path)\" in the document")
        }
        guard let list = Self.list(elements, at: path == "." ? "" : path, item: item) else {
            throw .failure("the list at \"\(path)\" has no item to look at")
        }
        return list
    }

    private mutating func search(_ value: JSONValue, at path: [String]) {
        switch value {
        case .array(let elements):
            let text = path.joined(separator: ".")
            if elements.isEmpty { emptyPaths.append(text) }
            if let list = Self.list(elements, at: text, item: nil) { lists.append(list) }
        case .object(let object) where path.count < Self.depthLimit:
            // JSON:API has objects that the products name beside them.
            let isOfJSONAPI = path.isEmpty && object["data"]?.array != nil
            for member in object.members where !(isOfJSONAPI && member.key == "included") {
                if member.key.contains(where: { ".[]*".contains($0) }) {
                    unreachable.append((member.key, member.value))
                } else {
                    search(member.value, at: path + [member.key])
                }
            }
        case .object: break
        default: envelope.append((path.joined(separator: "."), value))
        }
    }

    private static func list(_ elements: [JSONValue], at path: String, item stated: String?) -> ItemList? {
        let objects = elements.filter { $0.object != nil }
        guard let first = objects.first?.object else { return nil }
        let wrapper = stated ?? wrappers.first { name in first[name]?.object != nil && first.count <= 3 }
        guard let wrapper, let way = JSONPath(wrapper) else { return ItemList(path: path, item: nil, items: objects) }
        let items = objects.compactMap { $0[way] }.filter { $0.object != nil }
        return items.isEmpty ? nil : ItemList(path: path, item: wrapper, items: items)
    }
}
