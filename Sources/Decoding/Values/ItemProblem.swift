internal import JSON
internal import Products

/// The reason why an item cannot be a product: our member, the different place of its value in the upstream's item, and
/// the value found there.
struct ItemProblem: Error {
    let ours: String
    var theirs: String?
    let problem: String

    /// Returns the problem of the item at an index: `[7312].price.amount (theirs: variants.0.price): expected a number,
    /// …`.
    func detail(at index: Int) -> String {
        "[\(index)].\(ours)\(theirs.map { " (theirs: \($0))" } ?? ""): \(problem)"
    }
}

extension JSONObject {
    /// The rule of every gate that a product in our own form breaks by itself.
    var invariantProblem: ItemProblem? {
        if let problem = priceProblem { return problem }
        let denominations = self["type"]?.string == "giftCard" ? self["denominations"]?.array ?? [] : []
        guard let negative = denominations.first(where: \.isNegative) else { return nil }
        return ItemProblem(ours: "denominations", problem: "\(negative) is negative")
    }

    /// The problem of a product that costs less than the minimum.
    func problem(below minimum: MinimumPrice) -> ItemProblem? {
        price(below: minimum).map {
            ItemProblem(ours: $0.member, problem: "\($0.amount) is below \"minimum_price\", \(minimum)")
        }
    }

    /// The problem of a product or variant with a negative price.
    var priceProblem: ItemProblem? {
        guard let amount = self["price"]?.object?["amount"], amount.isNegative else { return nil }
        return ItemProblem(ours: "price.amount", problem: "\(amount) is negative")
    }
}

extension JSONValue {
    /// Whether it is a number below zero, also in a text.
    fileprivate var isNegative: Bool {
        guard let text = scalarText, text.first == "-" else { return false }
        return text.prefix { $0 != "e" && $0 != "E" }.contains { ("1"..."9").contains($0) }
    }
}

/// Counts the items whose optional members have another form than ours.
struct UnconvertedMembers {
    /// The attribute with the optional members that are not mapped and have another form than ours.
    static let name = "unconverted"
    private static let nameLimit = 20
    private var found: [(name: String, count: Int, example: JSONValue)] = []

    /// - Parameter item: an item in our own form.
    mutating func record(_ item: JSONObject) {
        for member in item[Self.name]?.object?.members ?? [] {
            if let index = found.firstIndex(where: { $0.name == member.key }) {
                found[index].count += 1
            } else if found.count < Self.nameLimit {
                found.append((member.key, 1, member.value))
            }
        }
    }

    /// `weight: 3 items, like string "1.2 lb"`.
    var texts: [String] {
        found.map { "\($0.name): \($0.count) item\($0.count == 1 ? "" : "s"), like \($0.example.excerpt)" }
    }
}

/// Counts ids of items that match no object in the lists beside the items.
struct DanglingIDs {
    private static let placeLimit = 20
    private var found: [(place: String, count: Int, example: JSONValue)] = []

    mutating func record(_ ids: [(place: String, id: JSONValue)]) {
        for (place, id) in ids {
            if let index = found.firstIndex(where: { $0.place == place }) {
                found[index].count += 1
            } else if found.count < Self.placeLimit {
                found.append((place, 1, id))
            }
        }
    }

    /// `brand_id: 3 ids, like string "b9"`.
    var texts: [String] {
        found.map { "\($0.place): \($0.count) id\($0.count == 1 ? "" : "s"), like \($0.example.excerpt)" }
    }
}
