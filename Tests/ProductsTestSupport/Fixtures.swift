package import FoundationEssentials
package import JSON
package import PolymorphicCodable
package import Products
package import Querying

package func makeProduct(
    id: String = "1", name: String = "Mug", amount: Decimal = 19.9, currency: String = "EUR", sales: Int = 0,
    attributes: JSONObject = JSONObject()
) -> PhysicalProduct {
    PhysicalProduct(
        details: ProductDetails(
            id: id, name: name, price: Price(amount: amount, currency: currency), sales: sales, attributes: attributes))
}

package func decodeProducts(_ text: String) throws -> [any Product] {
    Array(try decode(text).products)
}

package func decode(_ text: String, unknownKinds: UnknownKindPolicy = .reject) throws -> DecodedProducts {
    try NativeCatalogueDecoder(unknownKinds: unknownKinds).decode(Array(text.utf8))
}

/// The JSON of a product: the members that every product needs, and after them those of the text.
package func item(_ type: String, id: String = "1", _ members: String = "") -> String {
    #"{"type":"\#(type)","id":"\#(id)","name":"Mug","price":{"amount":1,"currency":"EUR"}\#(members)}"#
}

/// A product of the text's members, after those that every product needs.
package func decodeProduct(_ type: String = "physical", _ members: String = "") throws -> any Product {
    try decodeProducts("[\(item(type, members))]")[0]
}

package func encode(_ product: any Product) throws -> String {
    String(decoding: try JSONByteEncoder.encode(product), as: UTF8.self)
}

/// How messages list the kinds.
package let knownKinds = ProductKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")

package func makeListed(
    _ id: String, name: String = "Mug", amount: Decimal = 1, currency: String = "EUR", sales: Int = 0,
    description: String? = nil, category: ProductCategories? = nil, kind: String = "physical"
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

package func makeIndex(
    _ products: [any Product], salesOver: Int = 100, findable members: FindableMembers = FindableMembers()
) throws -> CatalogueIndex {
    let catalogue = try Catalogue(products: products)
    return CatalogueIndex(
        catalogue, ProductsUseCase.marked(catalogue, by: PopularityRule(salesOver: salesOver)).marks, findable: members)
}

extension CatalogueIndex {
    /// The ids of the page that a query asks for.
    package func ids(_ query: ProductsQuery) throws -> [String] {
        try page(of: query).positions.map { catalogue.products[$0].id }
    }
}

/// The query of a text such as `type=digital&popular`, which is taken as it is, without any decoding.
package func parse(
    _ text: String, taking known: [ProductsQueryParameter] = ProductsQueryParameter.allCases,
    limits: PageLimits = PageLimits(), findable members: FindableMembers = FindableMembers()
) throws(ProductsQueryProblem) -> ProductsQuery {
    let items = text.split(separator: "&").map { item in
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (name: parts[0], value: parts.count > 1 ? parts[1] : nil)
    }
    return try ProductsQuery(
        parsing: items, taking: ProductsQueryParameters(known, of: members), limits: limits)
}

extension EncodedArray {
    /// The array within the document.
    package var list: [UInt8] {
        let start = bytes.firstIndex(of: UInt8(ascii: "[")) ?? 0
        return Array(bytes[start...(bytes.lastIndex(of: UInt8(ascii: "]")) ?? start)])
    }
}
