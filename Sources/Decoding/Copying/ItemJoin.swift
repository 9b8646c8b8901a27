internal import JSON
internal import Products

/// Joins the text of items with the objects that they name by ids, as values are joined.
struct ItemJoin {
    /// The ids at one place of an item.
    struct Reference {
        let ids: ItemPath
        /// The member of the item that gets the objects; nil if they take the place of their ids.
        let member: String?
        /// Returns the object of an id; the id itself for an unknown one.
        let object: (JSONValue) -> JSONValue
    }

    private struct Place {
        let ids: CopiedPath
        let member: (name: CopiedName, text: [UInt8])?
        let object: (JSONValue) -> JSONValue
        let isList: Bool
        /// The texts of objects by the texts of their ids.
        var objects: [String: [UInt8]] = [:]
    }

    /// The most texts of objects that are kept for one place.
    private static let objectLimit = 1 << 14

    private var places: [Place] = []
    /// The changes of one item, and the places of its new members' names.
    private var changes: [(range: Range<Int>, text: [UInt8])] = []
    private var names: [Range<Int>] = []
    /// The bytes that an item may still get.
    private var rest = 0

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

    /// Writes a joined item, and scans what differs.
    /// - Parameters:
    ///   - tape: the values of the item, which is an object at the start of the text.
    ///   - joined: gets the joined item, perhaps with new members behind its end.
    ///   - limit: the most bytes that objects may take. An item with more is left to values.
    /// - Returns: whether the item names any object; otherwise it is as it was.
    mutating func join(
        _ tape: inout JSONTape, _ text: Span<UInt8>, to joined: inout [UInt8], within limit: Int
    ) throws(Unscannable) -> Bool {
        rest = limit
        changes.removeAll(keepingCapacity: true)
        names.removeAll(keepingCapacity: true)
        joined.removeAll(keepingCapacity: true)
        let end = tape.entries[0].end
        joined.append(text, 0..<end)
        for index in places.indices {
            if places[index].member != nil {
                try add(at: index, tape, text, to: &joined)
            } else if let ids = places[index].ids.place(in: tape, text) {
                for place in Self.elements(of: ids, tape, text) ?? [ids] {
                    let entry = tape.entries[place]
                    changes.append((entry.range, try object(of: entry, at: index, text)))
                }
            }
        }
        if changes.isEmpty {
            for name in names { try tape.add(name, joined.span) }
            return !names.isEmpty
        }
        var whole: [UInt8] = []
        var start = 0
        changes.sort { $0.range.lowerBound < $1.range.lowerBound }
        for change in changes {
            whole.append(text, start..<change.range.lowerBound)
            whole += change.text
            start = change.range.upperBound
        }
        whole.append(text, start..<end - 1)
        for (number, name) in names.enumerated() {
            let next = number + 1 < names.count ? names[number + 1].lowerBound - 1 : joined.count
            whole.append(UInt8(ascii: ","))
            whole += joined[name.lowerBound - 1..<next]
        }
        whole.append(UInt8(ascii: "}"))
        swap(&joined, &whole)
        _ = try tape.scan(joined.span, at: 0)
        return true
    }

    /// Writes a member with the objects behind the item, or changes the one with its name.
    private mutating func add(
        at index: Int, _ tape: borrowing JSONTape, _ text: Span<UInt8>, to joined: inout [UInt8]
    ) throws(Unscannable) {
        var ids = try places[index].ids.places(in: tape, text)
        var isList = places[index].isList
        if !isList, let elements = ids.first.flatMap({ Self.elements(of: $0, tape, text) }) {
            (ids, isList) = (elements, true)
        }
        guard !ids.isEmpty, let member = places[index].member else { return }
        let place = member.name.place(in: tape, text, of: 0)
        let name = joined.count + 1
        if place == nil { joined += member.text }
        let start = joined.count
        if isList { joined.append(UInt8(ascii: "[")) }
        for (number, id) in (isList ? ids[...] : ids.prefix(1)).enumerated() {
            if number > 0 { joined.append(UInt8(ascii: ",")) }
            joined += try object(of: tape.entries[id], at: index, text)
        }
        if isList { joined.append(UInt8(ascii: "]")) }
        if let place {
            changes.append((tape.entries[place].range, Array(joined[start...])))
            joined.removeLast(joined.count - start)
        } else {
            names.append(name..<start - 2)
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

    /// Returns the text of the object of an id. Equal texts beyond ASCII have several spellings.
    private mutating func object(
        of id: JSONEntry, at index: Int, _ text: Span<UInt8>
    ) throws(Unscannable) -> [UInt8] {
        for at in id.range where text[at] >= 0x80 { throw Unscannable() }
        let key = String(text, id.range)
        if let known = places[index].objects[key] { return try paid(known) }
        guard let value = try? JSONParser().parse(Array(key.utf8)) else { throw Unscannable() }
        let found = places[index].object(value)
        guard found.length(within: rest) <= rest else { throw Unscannable() }
        let object = found.encoded()
        if places[index].objects.count >= Self.objectLimit { places[index].objects.removeAll() }
        places[index].objects[key] = object
        return try paid(object)
    }

    private mutating func paid(_ object: [UInt8]) throws(Unscannable) -> [UInt8] {
        rest -= object.count
        if rest < 0 { throw Unscannable() }
        return object
    }
}

/// The bytes that the items of a catalogue may take with the objects of the lists beside them. Many items may name one large
/// object, so that the length of the document is no bound.
struct JoinBudget {
    let limit: Int
    private var left: Int

    init(limit: Int) {
        (self.limit, left) = (limit, limit)
    }

    /// The bytes that are left; none behind the limit.
    var rest: Int { max(0, left) }

    /// Takes the bytes of a joined item.
    mutating func take(_ count: Int) { left -= count }

    /// Takes the length of an item.
    /// - Throws: `ProductsFailure.malformed` behind the limit.
    mutating func take(_ item: JSONValue, at index: Int) throws(ProductsFailure) {
        left -= item.length(within: rest)
        if left >= 0 { return }
        throw .malformed(
            detail: "[\(index)]: with the objects of \"includes\" the items take more than \(limit) bytes, see "
                + "\"max_joined\"")
    }
}

extension JSONValue {
    /// The length of the value as JSON without escapes; more than a limit for any length beyond it.
    func length(within limit: Int) -> Int {
        var length = 2
        switch self {
        case .string(let text): length += text.utf8.count
        case .number(let number): length = number.literal.utf8.count
        case .bool, .null: length = 4
        case .array(let elements):
            for element in elements where length <= limit { length += element.length(within: limit - length) + 1 }
        case .object(let object):
            for member in object.members where length <= limit {
                length += member.key.utf8.count + member.value.length(within: limit - length) + 4
            }
        }
        return length
    }
}
