/// The parts of an index, each made when it is first wanted. There are as many as there are members to sort and to
/// filter by, so what is kept is bounded.
final class CatalogueIndexParts: Sendable {
    /// The positions of the products of each kind.
    let types: Lazily<[String: [Int32]]>
    /// The positions of the products in each category.
    let categories: Lazily<[String: [Int32]]>
    /// How many have been sold of the product at each position.
    let sales: Lazily<[Int]>
    /// The products by price.
    let prices: Lazily<PriceRanking>
    /// The products by the words in them.
    let words: Lazily<WordIndex>
    private let rankings: [ProductsSortKey.Member: Lazily<Ranking>]

    init(_ products: [any Product]) {
        types = Lazily(size: Self.size(of:)) { Self.groups(products) { $0.typeName } }
        categories = Lazily(size: Self.size(of:)) { Self.groups(products) { $0.category } }
        sales = Lazily(size: { $0.count * MemoryLayout<Int>.stride }) { products.map(\.sales) }
        prices = Lazily(size: \.byteCount) { PriceRanking(products) }
        words = Lazily(size: \.byteCount) { WordIndex(products) }
        rankings = [
            .id: Self.ranking { products.map { Optional($0.id) } },
            .name: Self.ranking { Self.folded(products) { $0.name } },
            .sales: Self.ranking { products.map { Optional($0.sales) } },
            .type: Self.ranking { products.map { Optional($0.typeName) } },
            .category: Self.ranking { Self.folded(products) { $0.category } },
        ]
    }

    /// The products by a member.
    func ranking(by member: ProductsSortKey.Member) -> Ranking {
        rankings[member]?.value ?? prices.value.ranking
    }

    /// Every part, in the same order in every index.
    var all: [any PreparablePart] {
        [types, categories, sales, prices, words] + ProductsSortKey.Member.allCases.compactMap { rankings[$0] }
    }

    private static func ranking<Key: Comparable>(by keys: @escaping @Sendable () -> [Key?]) -> Lazily<Ranking> {
        Lazily(size: \.byteCount) { Ranking(keys()) }
    }

    private static func size(of groups: [String: [Int32]]) -> Int {
        groups.values.reduce(0) { $0 + $1.count * MemoryLayout<Int32>.stride }
    }

    private static func groups(
        _ products: [any Product], by key: (any Product) -> String?
    ) -> [String: [Int32]] {
        var groups: [String: [Int32]] = [:]
        for (position, product) in products.enumerated() {
            if let key = key(product) { groups[key, default: []].append(Int32(position)) }
        }
        return groups
    }

    private static func folded(_ products: [any Product], _ text: (any Product) -> String?) -> [String?] {
        var folding = TextFolding()
        return products.map { product in text(product).map { folding.folded($0) } }
    }
}
