internal import Decoding
internal import JSON
internal import Text

/// The members of an upstream's items, by the paths that lead to them: `price.amount`, `variants.*.price`.
struct ItemMembers {
    /// The number of items that are looked at.
    static let itemLimit = 200
    private static let elementLimit = 50
    private static let depthLimit = 8
    private static let placeLimit = 2000

    let items: [JSONValue]
    /// The places in the order in which they appear.
    private(set) var places: [MemberPlace] = []
    private var indexes: [String: Int] = [:]

    init(of items: [JSONValue]) {
        self.items = Array(items.prefix(Self.itemLimit))
        for (index, item) in self.items.enumerated() { record(item, at: [], of: index) }
    }

    /// The place that a path of any form leads to; nil where it leads to nothing in any item.
    func place(at path: String) -> MemberPlace? {
        if let index = indexes[path] { return places[index] }
        guard let parsed = ItemPath(path) else { return nil }
        var place = MemberPlace(path: path)
        for (index, item) in items.enumerated() {
            for value in parsed.values(in: item) { place.record(value, of: index) }
        }
        return place.values.isEmpty ? nil : place
    }

    /// Returns the least deep place of one of these names, the first name first, that leads through no array and is accepted.
    /// - Parameter names: in lower case, without marks.
    func named(_ names: [String], where isAccepted: (MemberPlace) -> Bool) -> MemberPlace? {
        let ranked = places.compactMap { place -> (rank: Int, place: MemberPlace)? in
            guard place.isPlain, let rank = names.firstIndex(of: place.plainName), isAccepted(place) else { return nil }
            return (place.components.count * names.count + rank, place)
        }
        return ranked.min { $0.rank < $1.rank }?.place
    }

    /// Remarks about members that mark some items as not for sale.
    var signsOfDrafts: [String] {
        places.filter { place in
            guard place.components.count == 1 else { return false }
            if Self.removals.contains(place.plainName) { return place.values.contains(.bool(true)) }
            return Self.states.contains(place.plainName)
                && !Set(place.values.map(\.excerpt)).isDisjoint(with: Self.drafts)
        }.map { "some items have \"\($0.path)\": \($0.examples); leave those out that are not for sale by \"when\"" }
    }

    /// Names of members that are true for a product that is no longer for sale.
    private static let removals: Set = ["deleted", "archived", "hidden", "isdeleted"]
    /// Names of members that hold whether a product is for sale.
    private static let states: Set = [
        "status", "state", "enabled", "isenabled", "visible", "isvisible", "published", "ispublished", "active",
        "isactive",
    ]
    private static let drafts: Set = [
        "boolean false", #"string "draft""#, #"string "inactive""#, #"string "archived""#,
        #"string "disabled""#, #"string "unpublished""#, #"string "hidden""#, #"string "private""#, "number 0",
    ]

    private mutating func record(_ value: JSONValue, at path: [String], of item: Int) {
        guard path.count <= Self.depthLimit, !value.isNull else { return }
        if !path.isEmpty {
            let text = path.joined(separator: ".")
            let index = indexes[text] ?? places.count
            if index == places.count {
                guard index < Self.placeLimit else { return }
                indexes[text] = index
                places.append(MemberPlace(path: text))
            }
            places[index].record(value, of: item)
        }
        for element in (value.array ?? []).prefix(Self.elementLimit) { record(element, at: path + ["*"], of: item) }
        // A path cannot name a member whose name has a mark of paths.
        for member in value.object?.members ?? []
        where !member.key.isEmpty && member.key != "*" && !member.key.contains(where: { ".[]".contains($0) }) {
            record(member.value, at: path + [member.key], of: item)
        }
    }
}

/// A place in items, with the values there, which are not null.
struct MemberPlace {
    private static let valueLimit = 2000

    let path: String
    let components: [String]
    private(set) var values: [JSONValue] = []
    /// The number of items that have a value there.
    private(set) var itemCount = 0
    /// Whether an item has several values there.
    private(set) var isRepeated = false
    private var lastItem: Int?

    init(path: String) {
        self.path = path
        components = path.split(separator: ".").map(String.init)
    }

    /// The name of the member, without its place.
    var name: String { components.last { $0 != "*" } ?? path }
    /// The name in lower case, of letters and digits alone.
    var plainName: String { Self.plain(name) }
    /// Whether it leads through no array.
    var isPlain: Bool { !path.contains("*") && !path.contains("[") }
    /// The texts of scalars; nil if another value is there.
    var texts: [String]? {
        let texts = values.compactMap(\.scalarText)
        return texts.count == values.count ? texts : nil
    }
    /// Whether a number is there, also as a text.
    var hasNumber: Bool {
        values.contains { value in value.bool == nil && value.scalarText.flatMap(JSONNumber.init(literal:)) != nil }
    }
    var isText: Bool { values.allSatisfy { $0.string != nil } }
    /// The first different values, for a person.
    var examples: String {
        var shown: [String] = []
        for text in values.prefix(50).map({ $0 == "" ? "\"\"" : $0.scalarText ?? $0.excerpt })
        where shown.count < 3 && !shown.contains(text) {
            shown.append("\(TextExcerpt(text, limit: 40))")
        }
        return shown.joined(separator: ", ").printable
    }

    static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

    mutating func record(_ value: JSONValue, of item: Int) {
        if lastItem == item { isRepeated = true } else { itemCount += 1 }
        lastItem = item
        if values.count < Self.valueLimit { values.append(value) }
    }
}
