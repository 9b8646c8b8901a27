import FoundationEssentials
import JSON
import Products
import Querying

/// The catalogue that fuzzed queries are asked of: small, and much in it is alike, so that few bytes find some of it.
enum SampleShop {
    static let popularity = PopularityRule(salesOver: 100)

    static func index() throws -> CatalogueIndex {
        let catalogue = try Catalogue(products: products)
        return CatalogueIndex(catalogue, ProductsUseCase.marked(catalogue, by: popularity).marks)
    }

    private static let several = ProductCategories(
        .array(["cafe\u{301}", .object(["name": "tea", "id": 7, "path": .array(["Home, Garden", "Tea"])])]))

    private static var products: [any Product] {
        [
            PhysicalProduct(details: details("1", "Mug", "9.99", sales: 101, "Red mug", "tea")),
            PhysicalProduct(details: details("2", "MUGS", "9.99", sales: 100, nil, "Tea")),
            PhysicalProduct(details: details("10", "Crème brûlée", "0", sales: 5000, "4 × 100 g", "caf\u{E9}")),
            PhysicalProduct(details: details("a,b", "cre\u{300}me", "-1", sales: 0, nil, several)),
            DigitalProduct(details: details("a\\b", "C++ in a day", "19.9", sales: 0, "½ price", nil)),
            DigitalProduct(details: details("é", "日本茶", "0.0000001", sales: 1, "soft\u{AD}ware", nil)),
            GiftCardProduct(
                details: details("가", "Straße", "10", sales: 99, nil, "Home, Garden"), denominations: []),
            GiftCardProduct(details: details("g", "가방", "10.00", sales: 101, "...", "tea"), denominations: []),
            SubscriptionProduct(
                details: details("s", "ΟΔΟΣ", "1e3", sales: 7, "T-Shirt, monthly", "tea"), interval: "month"),
            KeptProduct(details: details("k", "Чёрный", "12", sales: 300, nil, nil), typeName: "voucher"),
        ]
    }

    private static func details(
        _ id: String, _ name: String, _ amount: String, sales: Int, _ description: String?,
        _ category: ProductCategories?
    ) -> ProductDetails {
        ProductDetails(
            id: id, name: name, price: Price(amount: Decimal(string: amount) ?? 0, currency: "EUR"), sales: sales,
            description: description, category: category)
    }
}
