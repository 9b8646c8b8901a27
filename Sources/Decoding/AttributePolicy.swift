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

/// Removes the members that a mapping's `omit` lists from products.
struct OmittedMembers {
    private let paths: [ItemPath]
    private var found: Set<Int> = []
    private var isUsed = false

    /// - Parameter paths: lead through names and `*` alone.
    init(_ paths: [ItemPath]) { self.paths = paths }

    /// - Parameter product: in our own form.
    mutating func remove(from product: inout JSONObject) {
        isUsed = true
        for (index, path) in paths.enumerated() {
            var value = JSONValue.object(product)
            guard value.remove(path.steps[...]), let object = value.object else { continue }
            product = object
            found.insert(index)
        }
    }

    /// The paths that no product has.
    var unmatched: [String] {
        isUsed ? paths.indices.filter { !found.contains($0) }.map { "omit: \(paths[$0]) (in no product)" } : []
    }
}

extension JSONValue {
    /// Removes the members that a path leads to.
    /// - Returns: whether there are any.
    fileprivate mutating func remove(_ steps: ArraySlice<ItemPath.Step>) -> Bool {
        guard let step = steps.first else { return false }
        let rest = steps.dropFirst()
        switch (step, self) {
        case (.child(let name), .object(var object)):
            guard var inner = object[name] else { return false }
            if !rest.isEmpty, !inner.remove(rest) { return false }
            object[name] = rest.isEmpty ? nil : inner
            self = .object(object)
            return true
        case (.every, .array(var elements)):
            let isFound = elements.indices.reduce(false) { elements[$1].remove(rest) || $0 }
            self = .array(elements)
            return isFound
        default: return false
        }
    }
}

extension OwnForm {
    /// Whether no product is without the member at a path.
    package func isNeeded(_ path: String) -> Bool {
        let outer = path.split(separator: ".").first.map(String.init) ?? ""
        return path == Self.type || members[path]?.isRequired == true
            || requiredContainers.contains(path) || requiredContainers.contains(outer) && members[path] != nil
    }
}

/// Finds published members whose names look as if they were not meant for the public.
struct InternalMembers: Sendable {
    private static let words: Set = [
        "cost", "costs", "wholesale", "margin", "supplier", "purchase", "buying", "dealer",
    ]
    /// Words that make an internal price of `buy`, as in `buy_price`, and of no other name such as `buyTogether`.
    private static let prices: Set = ["price", "prices", "rate", "amount", "value", "net"]
    /// The number of items that are searched.
    private static let itemLimit = 100
    private static let depthLimit = 4
    private static let nameLimit = 20

    /// The paths to the members in a product.
    private(set) var names: [String] = []
    private var count = 0
    /// Whether further items are not searched.
    var isComplete: Bool { count >= Self.itemLimit }

    /// - Parameters:
    ///   - item: an item in our own form, with its attributes.
    ///   - isChosen: whether the config names a member, so that its name is not judged.
    mutating func record(_ item: JSONObject, _ isChosen: (String) -> Bool) {
        guard count < Self.itemLimit else { return }
        count += 1
        for member in item.members {
            record(isChosen(member.key) ? nil : member.key, member.value, in: member.key, depth: 1)
        }
    }

    /// - Parameter name: nil if the name is not to be judged.
    private mutating func record(_ name: String?, _ value: JSONValue, in place: String, depth: Int) {
        guard names.count < Self.nameLimit else { return }
        if let name, Self.isInternal(name), !names.contains(place) { names.append(place) }
        guard depth < Self.depthLimit else { return }
        let inside = value.array == nil ? place : "\(place).*"
        for inner in (value.array ?? [value]).prefix(Self.nameLimit) {
            for member in inner.object?.members ?? [] {
                record(member.key, member.value, in: "\(inside).\(member.key)", depth: depth + 1)
            }
        }
    }

    private static func isInternal(_ name: String) -> Bool {
        let words = name.nameWords.subtracting([""])
        return !words.isDisjoint(with: Self.words)
            || words.contains("buy") && (words.count == 1 || !words.isDisjoint(with: prices))
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
