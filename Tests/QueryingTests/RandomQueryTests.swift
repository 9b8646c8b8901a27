import FoundationEssentials
import JSON
import Products
import ProductsTestSupport
import Querying
import Testing
import TestSupport

struct RandomQueryTests {
    private static let seeds = 0..<60

    /// What a query finds, by looking at every product.
    private func naive(_ items: [ShopItem], _ query: ProductsQuery, _ words: [String]) -> [String] {
        items.enumerated().filter { $0.element.passes(query, words: words) }.sorted { left, right in
            for key in query.sort {
                if let precedes = left.element.precedes(right.element, by: key) { return precedes }
            }
            return left.offset < right.offset
        }
        .map(\.element.id)
    }

    @Test(arguments: seeds)
    func `find on all pages together what looking at every product finds`(seed: Int) throws {
        var shop = RandomShop(seed: seed)
        let items = shop.items(Int.random(in: 0...150, using: &shop.random))
        let index = try makeIndex(items.map(\.product))
        for _ in 0..<40 {
            let (query, words) = shop.query()
            let expected = naive(items, query, words)
            #expect(try ids(on: pages(of: query, in: index), in: index) == expected, "\(query)")
        }
    }

    @Test(arguments: seeds)
    func `fill every page but the last, and count the same total on each`(seed: Int) throws {
        var shop = RandomShop(seed: seed)
        let index = try makeIndex(shop.items(100).map(\.product))
        for _ in 0..<10 {
            let (query, _) = shop.query()
            let pages = try pages(of: query, in: index)
            #expect(Set(pages.map(\.total)).count == 1)
            #expect(pages.map(\.positions.count).reduce(0, +) == pages[0].total)
            #expect(pages.dropLast().allSatisfy { $0.positions.count == query.limit })
            #expect(pages.count == 1 || pages.last?.positions.isEmpty == false)
        }
    }

    private func pages(of query: ProductsQuery, in index: CatalogueIndex) throws -> [ProductsPage] {
        var query = query
        var pages = [try index.page(of: query)]
        while let next = pages.last?.next {
            query.cursor = try PageCursor(text: next.text)
            pages.append(try index.page(of: query))
        }
        return pages
    }

    private func ids(on pages: [ProductsPage], in index: CatalogueIndex) -> [String] {
        pages.flatMap(\.positions).map { index.catalogue.products[$0].id }
    }
}

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
                categories: (0..<random.pick([0, 1, 1, 2, 3])).map { _ in random.pick(Self.categories) },
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

/// A product of a random shop, and a plain answer to every question that a query asks of it.
struct ShopItem {
    var id: String
    let kind: String
    let amount: Decimal
    let sales: Int
    let categories: [String]
    /// Which of the shop's words.
    let name: [Int]
    let description: [Int]?

    func named(_ id: String) -> ShopItem {
        var item = self
        item.id = id
        return item
    }

    var product: any Product {
        makeListed(
            id, name: written(name), amount: amount, sales: sales, description: description.map(written),
            category: written(categories), kind: kind)
    }

    /// One is a text, and of several every other one is an object.
    private func written(_ categories: [String]) -> ProductCategories? {
        if categories.count < 2 { return categories.first.map { ProductCategories($0) } }
        return ProductCategories(
            .array(
                categories.enumerated().map {
                    $0 % 2 == 0 ? .string($1) : .object(["more": .array([true]), "name": .string($1)])
                }))
    }

    func passes(_ query: ProductsQuery, words: [String]) -> Bool {
        Self.names([kind], query.types)
            && Self.names(categories, query.categories)
            && Self.names([id], query.ids)
            && query.popular.map { $0 == (sales > 100) } != false
            && query.minPrice.map { amount >= $0 } != false
            && query.maxPrice.map { amount <= $0 } != false
            && words.allSatisfy { word in folded.contains { $0.contains(word) } }
    }

    /// Whether this one stands before the other by a key; nil when they are alike.
    func precedes(_ other: ShopItem, by key: ProductsSortKey) -> Bool? {
        switch key.member {
        case .id: Self.compare(id, other.id, key)
        case .name: Self.compare(nameKey, other.nameKey, key)
        case .price: Self.compare(amount, other.amount, key)
        case .sales: Self.compare(sales, other.sales, key)
        case .type: Self.compare(kind, other.kind, key)
        case .category: Self.compare(categoryKey, other.categoryKey, key)
        case nil: nil
        }
    }

    private static func compare<Value: Comparable>(_ left: Value?, _ right: Value?, _ key: ProductsSortKey) -> Bool? {
        guard let left, let right else { return left == nil && right == nil ? nil : right == nil }
        return left == right ? nil : (left < right) != key.isDescending
    }

    private func written(_ indices: [Int]) -> String {
        indices.map { RandomShop.words[$0].written }.joined(separator: " ")
    }

    private var folded: [String] {
        (name + (description ?? [])).flatMap { RandomShop.words[$0].folded }
            + categories.flatMap { Self.key($0).split(separator: ", ") }.map(String.init)
    }

    private var nameKey: String {
        name.map { index in
            let word = RandomShop.words[index]
            return switch word.written {
            case "T-Shirt,": "t-shirt,"
            case "...": "..."
            default: word.folded.joined()
            }
        }
        .joined(separator: " ")
    }

    private var categoryKey: String? { categories.first.map(Self.key) }

    private static func key(_ category: String) -> String { category == "café" ? "cafe" : category.lowercased() }

    private static func names(_ texts: [String], _ wanted: Set<ExactText>?) -> Bool {
        wanted?.contains { texts.contains($0.text) } ?? true
    }
}
