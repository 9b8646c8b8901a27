import FoundationEssentials
import Products

/// A product of a random shop, and a plain answer to every question that a query asks of it.
struct ShopItem {
    var id: String
    let kind: String
    let amount: Decimal
    let sales: Int
    let category: String?
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
            category: category, kind: kind)
    }

    func passes(_ query: ProductsQuery, words: [String]) -> Bool {
        Self.names(kind, query.types)
            && Self.names(category, query.categories)
            && Self.names(id, query.ids)
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
            + (categoryKey?.split(separator: ", ") ?? [])
            .map(String.init)
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

    private var categoryKey: String? {
        category.map { $0 == "café" ? "cafe" : $0.lowercased() }
    }

    private static func names(_ text: String?, _ wanted: Set<ExactText>?) -> Bool {
        wanted?.contains { $0.text == text } ?? true
    }
}
