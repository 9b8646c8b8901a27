internal import JSON
internal import Products
internal import Text

/// Chooses which of the members that are neither mapped nor named by the kind become attributes, and so public.
package enum AttributePolicy: Sendable, Hashable {
    case keep
    case drop
    /// Only members with these names. The only policy that is safe if the upstream may add members.
    case only(Set<String>)

    /// Whether a member with this name becomes an attribute.
    func keeps(_ name: String) -> Bool {
        switch self {
        case .keep: true
        case .drop: false
        case .only(let names): names.contains(name)
        }
    }

    /// Returns the product with these attributes only, and the products within it likewise.
    func applied(to product: any Product) -> any Product {
        var product = product
        let kept = product.attributes.members.filter { keeps($0.key) }
        product.details.attributes = JSONObject(kept.map { ($0.key, $0.value) })
        return appliedWithin(product)
    }

    /// Applies the policy to the products within a product, but not to the product itself.
    func appliedWithin(_ product: any Product) -> any Product {
        product.contents == nil ? product : product.mapContents(applied)
    }
}

/// Finds published members whose names look as if they were not meant for the public.
struct InternalMembers: Sendable {
    private static let words: Set = [
        "cost", "costs", "wholesale", "margin", "supplier", "purchase", "buy", "buying", "dealer",
    ]
    /// The number of items that are searched.
    private static let itemLimit = 100
    private static let depthLimit = 4
    private static let nameLimit = 20

    private(set) var names: [String] = []
    private var count = 0
    /// Whether further items are not searched.
    var isComplete: Bool { count >= Self.itemLimit }

    /// - Parameters:
    ///   - item: an item in our own form, with its attributes.
    ///   - isChosen: whether the config names a member, so that its own name says nothing.
    mutating func record(_ item: JSONObject, _ isChosen: (String) -> Bool) {
        guard count < Self.itemLimit else { return }
        count += 1
        for member in item.members {
            record(isChosen(member.key) ? nil : member.key, member.value, in: member.key, depth: 1)
        }
    }

    /// - Parameter name: nil where the name says nothing.
    private mutating func record(_ name: String?, _ value: JSONValue, in place: String, depth: Int) {
        guard names.count < Self.nameLimit else { return }
        if let name, !Self.words.isDisjoint(with: name.nameWords), !names.contains(place) {
            names.append(place)
        }
        guard depth < Self.depthLimit else { return }
        for inner in (value.array ?? [value]).prefix(Self.nameLimit) {
            for member in inner.object?.members ?? [] {
                record(member.key, member.value, in: "\(place).\(member.key)", depth: depth + 1)
            }
        }
    }
}

/// Finds the kind of an item.
package enum TypeRule: Sendable {
    /// Every item is of this kind.
    case constant(String)
    /// The first value at one of the paths, translated by `map`. Without an entry in the map it is `otherwise`, or else
    /// the value itself.
    case path(PathAlternatives, map: [String: String], otherwise: String?)

    /// Returns the name of the item's kind.
    func kind(of item: JSONValue) throws(ItemProblem) -> String {
        switch self {
        case .constant(let kind): return kind
        case .path(let paths, let map, let otherwise):
            let found = paths.first(in: item)
            if let value = found?.value.scalarText { return map[value] ?? otherwise ?? value }
            if let otherwise { return otherwise }
            guard let (value, path) = found else {
                throw ItemProblem(ours: OwnForm.type, theirs: paths.description, problem: "missing")
            }
            let problem = ValueProblem(expected: "a string, a number or a boolean", found: value).problem
            throw ItemProblem(ours: OwnForm.type, theirs: path.description, problem: problem)
        }
    }
}

/// The policy for an item that cannot be decoded.
package enum BadItemPolicy: String, Sendable, CaseIterable {
    /// The whole document is refused.
    case reject
    /// The item is skipped and reported. A document without a good item is still refused.
    case skip
}
