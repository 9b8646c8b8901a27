import FoundationEssentials
import Products
import TestSupport

/// Small catalogues in which much is alike, and queries that find some of it.
struct RandomShop {
    /// Words as they are written, and as a search compares them.
    static let words: [(written: String, folded: [String])] = [
        ("Mug", ["mug"]), ("MUGS", ["mugs"]), ("smuggler", ["smuggler"]), ("Crème", ["creme"]),
        ("cre\u{300}me", ["creme"]), ("Straße", ["strasse"]), ("İstanbul", ["istanbul"]), ("T-Shirt,", ["t", "shirt"]),
        ("½", ["½"]), ("😀", ["😀"]), ("Чёрный", ["черныи"]), ("ΟΔΟΣ", ["οδοσ"]), ("...", []), ("C++", ["c++"]),
        ("日本茶", ["日本茶"]), ("soft\u{AD}ware", ["software"]),
    ]
    static let wanted = [
        "mug", "UG", "creme", "crème", "strasse", "stan", "shirt", "t-shirt", "½", "😀", "черн", "οδος", "c+", "本",
        "ware", "mug mugs", "zebra",
    ]
    static let foldedWanted = [
        ["mug"], ["ug"], ["creme"], ["creme"], ["strasse"], ["stan"], ["shirt"], ["t", "shirt"], ["½"], ["😀"],
        ["черн"], ["οδοσ"], ["c+"], ["本"], ["ware"], ["mug", "mugs"], ["zebra"],
    ]
    static let kinds = ["physical", "digital", "giftCard", "voucher"]
    static let categories = ["tea", "Tea", "café", "cafe\u{301}", "Home, Garden"]
    static let amounts: [Decimal] = ["0", "-1", "9.99", "10", "10.01", "1000000000000000000000.5", "0.0000001"].map {
        Decimal(string: $0) ?? 0
    }

    var random: SeededGenerator

    init(seed: Int) {
        random = SeededGenerator(seed: seed)
    }

    mutating func items(_ count: Int) -> [ShopItem] {
        (0..<count).map { _ in
            ShopItem(
                id: "", kind: random.pick(Self.kinds), amount: random.pick(Self.amounts),
                sales: random.pick([0, 1, 99, 100, 101, 5000]),
                category: random.chance(70) ? random.pick(Self.categories) : nil,
                name: (0..<2).map { _ in random.pick(Array(Self.words.indices)) },
                description: random.chance(60) ? [random.pick(Array(Self.words.indices))] : nil)
        }
        .enumerated().map { index, item in item.named("\(index * 7919 % 1009)") }
    }

    private func texts(_ texts: String...) -> Set<ExactText> { Set(texts.map { ExactText($0) }) }

    /// A query, and the folded words it searches for.
    mutating func query() -> (query: ProductsQuery, words: [String]) {
        var query = ProductsQuery()
        if random.chance(25) { query.types = texts(random.pick(Self.kinds), random.pick(Self.kinds + ["none"])) }
        if random.chance(25) { query.categories = texts(random.pick(Self.categories), random.pick(Self.categories)) }
        if random.chance(25) { query.popular = random.chance(50) }
        if random.chance(15) { query.ids = Set((0..<20).map { ExactText("\($0 * 7919 % 1009)") } + ["none"]) }
        if random.chance(25) { query.minPrice = random.pick(Self.amounts) }
        if random.chance(25) { query.maxPrice = random.pick(Self.amounts) }
        for member in ProductsSortKey.Member.allCases.shuffled(using: &random) where random.chance(30) {
            query.sort.append(ProductsSortKey(member, isDescending: random.chance(50)))
        }
        if random.chance(50) { query.limit = random.pick([1, 2, 3, 7, 64, 1000]) }
        guard random.chance(35) else { return (query, []) }
        let wanted = random.pick(Array(Self.wanted.indices))
        query.words = ProductsQuery(text: Self.wanted[wanted]).words
        return (query, Self.foldedWanted[wanted])
    }
}
