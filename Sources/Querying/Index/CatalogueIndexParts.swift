internal import Decoding
internal import Concurrency
internal import Products

/// The parts of an index, each made on first use: one for each member to sort or filter by.
final class CatalogueIndexParts: Sendable {
    let types: IndexPart<[String: [Int32]]>
    let categories: IndexPart<CategoryIndex>
    /// The tree of the categories of all products.
    let tree: IndexPart<[CategoryCount]>
    let prices: IndexPart<AttributeColumn>
    let words: IndexPart<WordIndex>
    let declared: IndexPart<DeclaredIndex>
    private let rankings: [String: IndexPart<Ranking>]
    /// Every part.
    let all: [any PreparablePart]

    init(_ catalogue: Catalogue, _ members: FindableMembers) {
        var made = MadeParts()
        types = made.part("type", of: [], size: Self.size(of:)) { Self.groups(catalogue) { [$0.typeName] } }
        let categories = made.part("category", of: .category, size: \.byteCount) {
            CategoryIndex(catalogue, separator: members.categorySeparator)
        }
        tree = made.part("tree", of: .category, size: { CategoryCount.flattened($0).count * 64 }) {
            categories.prepared.tree(among: PositionSet(allOf: catalogue.count))
        }
        let prices = made.part("price", of: .price, size: \.byteCount) { AttributeColumn(prices: catalogue) }
        words = made.part("q", of: Self.searched(members), size: \.byteCount) {
            WordIndex(catalogue, searched: members.searched)
        }
        // Keys are compared with the bytes of their own catalogue.
        let declared = made.part("declared", of: .all, size: \.byteCount) { DeclaredIndex(members, of: catalogue) }
        rankings = ProductsSortKey.Member.allCases.reduce(into: [:]) { rankings, member in
            rankings[member.rawValue] = made.part(
                "sort \(member)", of: ChangedMembers(ofMember: member.rawValue), size: \.byteCount
            ) {
                Self.ranking(by: member, of: catalogue) ?? prices.prepared.ranking
            }
        }
        .merging(
            members.attributes.enumerated().map { number, attribute in
                let part = made.part(
                    "sort by \(attribute.name)", of: ChangedMembers(ofMember: attribute.path.root), size: \.byteCount
                ) {
                    declared.prepared.columns[number].ranking
                }
                return (attribute.name, part)
            }
        ) { first, _ in first }
        (self.categories, self.prices, self.declared) = (categories, prices, declared)
        all = made.parts
    }

    func ranking(by key: ProductsSortKey) -> Ranking {
        rankings[key.name]?.value ?? Ranking(ranks: [], examples: [])
    }

    /// Shares the values of these parts with the same parts of a later index, unless those have values.
    /// - Parameters:
    ///   - later: parts of the later index.
    ///   - changed: returns the members that differ there; nil if the parts cannot be shared. Called if a part can be.
    /// - Returns: the names of the shared parts.
    func lend(_ later: [any PreparablePart], changed: () -> ChangedMembers?) -> Set<String> {
        let made = Dictionary(uniqueKeysWithValues: all.lazy.filter(\.isMade).map { ($0.name, $0) })
        let shareable = later.filter { $0.source != .all && !$0.isMade && made[$0.name] != nil }
        guard !shareable.isEmpty, let changed = changed() else { return [] }
        let same = shareable.filter { $0.source.isDisjoint(with: changed) }
        for part in same { made[part.name].map(part.share) }
        return Set(same.map(\.name))
    }

    /// The members with the words of a search.
    private static func searched(_ members: FindableMembers) -> ChangedMembers {
        members.searched.map { ChangedMembers($0.map { ChangedMembers(ofMember: $0.root) }) }
            ?? [.name, .description, .category]
    }

    /// Returns nil for the price, whose column has the ranking.
    private static func ranking(by member: ProductsSortKey.Member, of catalogue: Catalogue) -> Ranking? {
        switch member {
        case .id: Ranking(catalogue, by: \.idRange)
        case .name: Ranking(folding: catalogue, \.nameRange)
        case .price: nil
        case .sales: sales(catalogue)
        case .type: Ranking(catalogue, by: \.typeRange)
        case .category: Ranking(folding: catalogue) { $0.categoryRanges.first }
        }
    }

    private static func sales(_ catalogue: Catalogue) -> Ranking {
        let sales = catalogue.texts.enumerated().map { ($1.sales, Int32($0)) }
        return Ranking(sales, outOf: catalogue.count) { _, _, _ in false }
    }

    private static func size(of groups: [String: [Int32]]) -> Int {
        groups.values.reduce(0) { $0 + $1.count * MemoryLayout<Int32>.stride }
    }

    private static func groups(_ catalogue: Catalogue, by keys: (ProductText) -> [String]) -> [String: [Int32]] {
        var groups: [String: [Int32]] = [:]
        for (position, product) in catalogue.texts.enumerated() {
            for key in keys(product) { groups[key, default: []].append(Int32(position)) }
        }
        return groups
    }
}

/// Makes the parts of an index, and lists them.
private struct MadeParts {
    private(set) var parts: [any PreparablePart] = []

    /// - Parameters:
    ///   - name: the same for the same part of every index.
    ///   - source: the members that it is made of.
    mutating func part<Value: Sendable>(
        _ name: String, of source: ChangedMembers, size: @escaping @Sendable (Value) -> Int,
        make: @escaping @Sendable () -> Value
    ) -> IndexPart<Value> {
        let part = IndexPart(name, of: source, size: size, make: make)
        parts.append(part)
        return part
    }
}

/// A part of an index that can be made before a query needs it.
protocol PreparablePart: Sendable {
    var name: String { get }

    /// The members of the products that it is made of.
    var source: ChangedMembers { get }

    /// Whether a query has needed it; preparing does not count.
    var isWanted: Bool { get }

    /// Whether it has been made.
    var isMade: Bool { get }

    /// Roughly how many bytes it takes; 0 before it is made.
    var byteCount: Int { get }

    /// Makes it, unless it is made already.
    func prepare()

    /// Keeps the value of the same part of another index, unless this part has one.
    func share(_ other: any PreparablePart)
}

/// A lazy part of an index, whose size is known.
final class IndexPart<Value: Sendable>: PreparablePart {
    let name: String
    let source: ChangedMembers
    private let size: @Sendable (Value) -> Int
    private let part: WantedLazy<Value>

    /// - Parameters:
    ///   - source: the members of the products that it is made of, beside their kinds and ids.
    ///   - size: how many bytes a value takes, roughly.
    ///   - make: makes the value.
    init(
        _ name: String, of source: ChangedMembers, size: @escaping @Sendable (Value) -> Int,
        make: @escaping @Sendable () -> Value
    ) {
        self.name = name
        self.source = source
        self.size = size
        part = WantedLazy(make: make)
    }

    /// The value, which counts as wanted from now on.
    var value: Value {
        part.want()
        return part.lazy.value
    }

    /// The value, which counts as wanted from now on, if it has been made.
    var wantedIfMade: Value? {
        part.want()
        return part.lazy.kept
    }

    /// The value, made ahead if it is not made yet.
    var prepared: Value { part.lazy.value }

    /// The value if it has been made.
    var made: Value? { part.lazy.kept }

    /// Makes the value once, however many callers wait for it, which count as wanting it.
    func want() async {
        part.want()
        _ = await part.lazy.made()
    }

    var isWanted: Bool { part.isWanted }

    var isMade: Bool { part.lazy.kept != nil }

    var byteCount: Int { part.lazy.kept.map(size) ?? 0 }

    func prepare() {
        _ = part.lazy.value
    }

    func share(_ other: any PreparablePart) {
        if let made = (other as? Self)?.made { part.lazy.keep(made) }
    }
}
