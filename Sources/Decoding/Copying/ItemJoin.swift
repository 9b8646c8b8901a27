internal import JSON
internal import Products

/// Joins the text of items with the objects that they name by ids, as values are joined. Nothing is scanned twice.
struct ItemJoin {
    /// The ids at one place of an item.
    struct Reference {
        let ids: ItemPath
        /// The member of the item that gets the objects; nil if they take the place of their ids.
        let member: String?
        /// Returns the object of an id; the id itself for an unknown one.
        let object: (JSONValue) -> JSONValue
    }

    /// The text of an object, and its entries.
    private struct Object {
        let text: [UInt8]
        let values: [JSONEntry]

        init(_ text: [UInt8]) throws(Unscannable) {
            var tape = JSONTape()
            _ = try tape.scan(text.span, at: 0)
            (self.text, values) = (text, tape.entries)
        }
    }

    private struct Place {
        let ids: CopiedPath
        let member: (name: CopiedName, text: [UInt8])?
        let object: (JSONValue) -> JSONValue
        let isList: Bool
        /// The objects by the texts of their ids.
        var objects: [String: Object] = [:]
    }

    /// The most objects that are kept for one place.
    private static let objectLimit = 1 << 14

    private var places: [Place] = []
    /// The values of one item that are replaced.
    private var changes: [(place: Int, object: Object)] = []
    /// The new members of one item, and the places of their names.
    private var added: [UInt8] = []
    private var names: [Range<Int>] = []

    /// Nil for references that are joined as values alone.
    init?(_ references: [Reference]) {
        let members = references.compactMap(\.member)
        let isApart = members.isEmpty || members.count == references.count
        guard isApart, Set(members).count == members.count else { return nil }
        for reference in references {
            // An index would lead into an array, which holds no relationships.
            for case .child(let name) in reference.ids.steps where reference.member == nil && Int(name) != nil {
                return nil
            }
            guard let ids = CopiedPath(reference.ids) else { return nil }
            let member = reference.member.map { (CopiedName($0), JSONValue.string($0).encoded() + ":".utf8) }
            // A tape has no names with escapes.
            if let name = reference.member, member?.1.count != name.utf8.count + 3 { return nil }
            places.append(
                Place(ids: ids, member: member, object: reference.object, isList: reference.ids.leadsToList))
        }
    }

    /// Writes a joined item, and changes its tape.
    /// - Parameters:
    ///   - tape: the values of the item, which is an object at the start of the text.
    ///   - joined: gets the joined item, perhaps with new members behind its end.
    ///   - budget: pays for the objects. An item beyond it is left to values.
    /// - Returns: whether the item names any object; otherwise it is as it was.
    mutating func join(
        _ tape: inout JSONTape, _ text: Span<UInt8>, to joined: inout [UInt8], _ budget: inout JoinBudget
    ) throws(Unscannable) -> Bool {
        changes.removeAll(keepingCapacity: true)
        added.removeAll(keepingCapacity: true)
        names.removeAll(keepingCapacity: true)
        for index in places.indices {
            if places[index].member != nil {
                try add(at: index, tape, text, &budget)
            } else if let ids = places[index].ids.place(in: tape, text) {
                for place in Self.elements(of: ids, tape, text) ?? [ids] {
                    changes.append((place, try object(of: tape.entries[place], at: index, text, &budget)))
                }
            }
        }
        if changes.isEmpty, names.isEmpty { return false }
        joined.removeAll(keepingCapacity: true)
        changes.sort { $0.place < $1.place }
        var start = 0
        for change in changes {
            joined.append(text, start..<tape.entries[change.place].start)
            joined += change.object.text
            start = tape.entries[change.place].end
        }
        joined.append(text, start..<tape.entries[0].end)
        if !changes.isEmpty { try tape.replace(changes.map { ($0.place, $0.object.values) }) }
        let end = joined.count
        joined += added
        for name in names { try tape.add(name.lowerBound + end..<name.upperBound + end, joined.span) }
        return true
    }

    /// Adds a member with the objects, or replaces the one with its name.
    private mutating func add(
        at index: Int, _ tape: borrowing JSONTape, _ text: Span<UInt8>, _ budget: inout JoinBudget
    ) throws(Unscannable) {
        guard let member = places[index].member else { return }
        var ids = try places[index].ids.places(in: tape, text)
        var isList = places[index].isList
        if !isList, let elements = ids.first.flatMap({ Self.elements(of: $0, tape, text) }) {
            (ids, isList) = (elements, true)
        }
        let place = member.name.place(in: tape, text, of: 0)
        if ids.isEmpty {
            // Values are joined before they are counted, whatever stands there.
            for inner in place.map({ Self.elements(of: $0, tape, text) ?? [$0] }) ?? [] {
                guard tape.entries[inner].isCanonical else { throw Unscannable() }
                try budget.pay(tape.entries[inner].range.count)
            }
            return
        }
        let name = added.count
        added += member.text
        let start = added.count
        if isList { added.append(UInt8(ascii: "[")) }
        for (number, id) in (isList ? ids[...] : ids.prefix(1)).enumerated() {
            if number > 0 { added.append(UInt8(ascii: ",")) }
            added += try object(of: tape.entries[id], at: index, text, &budget).text
        }
        if isList { added.append(UInt8(ascii: "]")) }
        if let place {
            changes.append((place, try Object(Array(added[start...]))))
            added.removeLast(added.count - name)
        } else {
            names.append(name + 1..<start - 2)
        }
    }

    /// The entries of the elements of an array; nil for any other value.
    private static func elements(of place: Int, _ tape: borrowing JSONTape, _ text: Span<UInt8>) -> [Int]? {
        let entry = tape.entries[place]
        guard text[entry.start] == UInt8(ascii: "[") else { return nil }
        var (elements, inner) = ([Int](), place + 1)
        while inner < entry.next {
            elements.append(inner)
            inner = tape.entries[inner].next
        }
        return elements
    }

    /// Returns the object of an id. Equal texts beyond ASCII have several spellings.
    private mutating func object(
        of id: JSONEntry, at index: Int, _ text: Span<UInt8>, _ budget: inout JoinBudget
    ) throws(Unscannable) -> Object {
        for at in id.range where text[at] >= 0x80 { throw Unscannable() }
        let key = String(text, id.range)
        if let known = places[index].objects[key] {
            try budget.pay(known.text.count)
            return known
        }
        guard let value = try? JSONParser().parse(Array(key.utf8)) else { throw Unscannable() }
        let found = places[index].object(value)
        try budget.pay(found.length(within: budget.rest))
        let object = try Object(found.encoded())
        if places[index].objects.count >= Self.objectLimit { places[index].objects.removeAll() }
        places[index].objects[key] = object
        return object
    }
}

/// The bytes that joined objects may still take in the items of a catalogue, and ids without an object, as JSON without
/// white space. Many items may name one large object, so that the length of the document is no bound.
struct JoinBudget {
    private(set) var rest: Int
    private let limit: Int
    private let length: ((JSONValue, Int) -> Int)?

    /// - Parameter length: measures the objects in a joined element, as far as a limit; nil without any.
    init(limit: Int, by length: ((JSONValue, Int) -> Int)? = nil) {
        (rest, self.limit, self.length) = (limit, limit, length)
    }

    /// Pays for an object.
    /// - Throws: `Unscannable` if the rest is less.
    mutating func pay(_ count: Int) throws(Unscannable) {
        rest -= count
        if rest < 0 { throw Unscannable() }
    }

    /// Pays for the objects in a joined element of the items.
    mutating func pay(for element: JSONValue, at index: Int) throws(ProductsFailure) {
        rest -= length?(element, rest) ?? 0
        guard rest < 0 else { return }
        throw .malformed(
            detail: "[\(index)]: the objects of \"includes\" take more than \(limit) bytes in the items, see "
                + "\"max_joined\"")
    }
}

extension JSONValue {
    /// The length of its JSON without white space; more than a limit for any length beyond it.
    func length(within limit: Int) -> Int {
        // A comma or the closing bracket is behind each element.
        var length = 1
        switch self {
        case .array(let elements) where !elements.isEmpty:
            for element in elements where length <= limit { length += element.length(within: limit - length) + 1 }
        case .object(let object) where !object.isEmpty:
            for member in object.members where length <= limit {
                length += JSONValue.string(member.key).encoded().count + 2
                length += member.value.length(within: limit - length)
            }
        default: length = encoded().count
        }
        return length
    }
}
