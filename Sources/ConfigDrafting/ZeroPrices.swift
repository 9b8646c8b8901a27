internal import Decoding
internal import JSON

/// Finds items with a price of 0 beside higher ones. The least price is served, so the mapping has to exclude the 0.
struct ZeroPrices {
    /// The least price that leaves them out.
    static let minimum = "0.01"

    private let path: String
    private let members: ItemMembers
    private let prices: [[JSONValue]]

    init(at path: String, in members: ItemMembers) {
        (self.path, self.members) = (path, members)
        prices = ItemPath(path).map { path in members.items.map { path.values(in: $0) } } ?? []
    }

    private var count: Int { prices.count { $0.contains(where: \.isZero) && !$0.allSatisfy(\.isZero) } }

    /// Whether the least of several prices is 0 in an item, while others are not.
    var areLeast: Bool { count > 0 }

    /// `2 of 4 items`.
    var text: String { "\(count) of \(members.items.count) items" }

    /// A path that leaves out the prices of 0 and no others, by a condition on the elements that have them; nil without one.
    var otherPath: (path: String, condition: String)? {
        let parts = path.split(separator: ".*.", omittingEmptySubsequences: false)
        guard areLeast, parts.count > 1, let rest = parts.last else { return nil }
        let list = parts.dropLast().joined(separator: ".*.")
        let elements = (ItemPath(list).map { list in members.items.flatMap { list.values(in: $0) } } ?? [])
            .flatMap { $0.array ?? [] }
        let places = ItemMembers(of: elements).places.filter { $0.isPlain && $0.path != rest }
        let conditions =
            places.filter { $0.values.allSatisfy { $0.bool != nil } }.flatMap {
                ["[\($0.path)=true]", "[\($0.path)=false]"]
            }
            + places.filter { $0.texts != nil }.map { "[!\($0.path)]" }
        let priced = prices.joined().filter { !$0.isZero }
        for condition in conditions {
            let other = "\(list)\(condition).\(rest)"
            guard let path = ItemPath(other) else { continue }
            if members.items.flatMap({ path.values(in: $0) }) == priced { return (other, condition) }
        }
        return nil
    }
}

extension JSONValue {
    /// Whether it is the number 0, also as a text.
    var isZero: Bool {
        bool == nil && scalarText.flatMap(JSONNumber.init(literal:))?.decimalParts?.digits.isEmpty == true
    }
}
