import FoundationEssentials
import Products

func makeListed(
    _ id: String, name: String = "Mug", amount: Decimal = 1, currency: String = "EUR", sales: Int = 0,
    description: String? = nil, category: String? = nil, kind: String = "physical"
) -> any Product {
    let details = ProductDetails(
        id: id, name: name, price: Price(amount: amount, currency: currency), sales: sales, description: description,
        category: category)
    return switch kind {
    case "physical": PhysicalProduct(details: details)
    case "digital": DigitalProduct(details: details)
    case "giftCard": GiftCardProduct(details: details, denominations: [])
    default: KeptProduct(details: details, typeName: kind)
    }
}

func makeIndex(_ products: [any Product], salesOver: Int = 100) throws -> CatalogueIndex {
    CatalogueIndex(try Catalogue(products: products), popularity: PopularityRule(salesOver: salesOver))
}

extension CatalogueIndex {
    /// The ids of the page that a query asks for.
    func ids(_ query: ProductsQuery) throws -> [String] {
        try page(of: query).positions.map { catalogue.products[$0].id }
    }
}

/// The query of a text such as `type=digital&popular`, which is taken as it is, without any decoding.
func parse(
    _ text: String, taking known: [ProductsQueryParameter] = ProductsQueryParameter.allCases,
    limits: PageLimits = PageLimits()
) throws(ProductsQueryProblem) -> ProductsQuery {
    let items = text.split(separator: "&").map { item in
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (name: parts[0], value: parts.count > 1 ? parts[1] : nil)
    }
    return try ProductsQuery(parsing: items, taking: known, limits: limits)
}
