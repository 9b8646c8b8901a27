/// The members of a JSON object, in order and with unique names.
///
/// Names are compared by their bytes: two that only look alike, as with composed and decomposed accents, are different.
public struct JSONObject: Sendable {
    /// The members, in their order.
    package private(set) var members: [JSONMember]
    private var positions: [ExactKey: Int]?

    /// The number of members up to which a linear search beats an index.
    private static let unindexedLimit = 24

    /// An object without members.
    public init() {
        members = []
    }

    /// An empty object with capacity for so many members.
    package init(minimumCapacity: Int) {
        members = []
        members.reserveCapacity(minimumCapacity)
    }

    /// An object with these members, in this order; of two with one name, the last value counts.
    package init(_ members: some Sequence<(String, JSONValue)>) {
        self.init()
        for (key, value) in members { self[key] = value }
    }

    package var count: Int { members.count }

    package var isEmpty: Bool { members.isEmpty }

    /// The names, in their order.
    package var keys: [String] { members.map(\.key) }

    /// The value of a member. Setting a new one appends it, setting one that is there keeps its place, and setting nil
    /// removes it.
    package subscript(key: String) -> JSONValue? {
        get {
            position(of: key).map { members[$0].value }
        }
        set {
            switch (position(of: key), newValue) {
            case (let position?, let value?): members[position].value = value
            case (let position?, nil): remove(at: position)
            case (nil, let value?): insert(JSONMember(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Appends a member, unless there is one of that name already.
    /// - Returns: whether it was appended.
    mutating func append(_ member: JSONMember) -> Bool {
        guard position(of: member.key) == nil else { return false }
        insert(member)
        return true
    }

    private func position(of key: String) -> Int? {
        if let positions { return positions[ExactKey(key)] }
        for position in members.indices where ExactKey.same(members[position].key, key) { return position }
        return nil
    }

    private mutating func insert(_ member: JSONMember) {
        members.append(member)
        if positions != nil {
            positions?[ExactKey(member.key)] = members.count - 1
        } else if members.count > Self.unindexedLimit {
            index()
        }
    }

    private mutating func remove(at position: Int) {
        members.remove(at: position)
        if positions != nil { index() }
    }

    private mutating func index() {
        var positions: [ExactKey: Int] = [:]
        for (position, member) in members.enumerated() { positions[ExactKey(member.key)] = position }
        self.positions = positions
    }
}

extension JSONObject: Hashable {
    /// Whether both have the same members in the same order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members == right.members
    }

    /// Hashes the members.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(members)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object with these members, in this order; of two with one name, the last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }
}

package struct JSONMember: Sendable, Hashable {
    package let key: String
    package var value: JSONValue
}

extension JSONObject {
    /// Adds the members of another object. A name that is there already keeps its place and gets the other's value.
    package mutating func add(_ other: JSONObject?) {
        for member in other?.members ?? [] { self[member.key] = member.value }
    }
}

/// A string compared by its bytes, where `String` itself also equates canonical equivalents.
struct ExactKey: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ExactKey, right: ExactKey) -> Bool {
        same(left.text, right.text)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }

    /// Whether two strings have the same bytes.
    @inline(__always)
    static func same(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count, left == right else { return false }
        return left.utf8Span.isKnownASCII || left.utf8.elementsEqual(right.utf8)
    }
}
