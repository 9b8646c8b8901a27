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
        types = Lazily { Self.groups(products) { $0.typeName } }
        categories = Lazily { Self.groups(products) { $0.category } }
        sales = Lazily { products.map(\.sales) }
        prices = Lazily { PriceRanking(products) }
        words = Lazily { WordIndex(products) }
        rankings = [
            .id: Lazily { Ranking(products.map { Optional($0.id) }) },
            .name: Lazily { Ranking(Self.folded(products) { $0.name }) },
            .sales: Lazily { Ranking(products.map { Optional($0.sales) }) },
            .type: Lazily { Ranking(products.map { Optional($0.typeName) }) },
            .category: Lazily { Ranking(Self.folded(products) { $0.category }) },
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

    /// Makes the parts that are wanted of any of the others.
    func prepare(like others: [CatalogueIndexParts]) {
        let others = others.map(\.all)
        for (position, part) in all.enumerated() where others.contains(where: { $0[position].isWanted }) {
            part.prepare()
        }
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
