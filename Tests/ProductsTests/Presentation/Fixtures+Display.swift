import PolymorphicCodable
import Products

/// What is shown of a product with these members, after those that every product needs.
func display(
    _ type: String = "physical", _ members: String = "", popularOver bound: Int = 100
) throws -> any ProductDisplayable {
    try decodeProduct(type, members).variant.display(popularity: PopularityRule(salesOver: bound))
}

/// The JSON of what is shown of the products in an array's text.
func displayed(_ text: String) throws -> DisplayedCatalogue {
    let products = try decode(text, unknownKinds: .keep).products
    return DisplayedCatalogue(try Catalogue(products: products), popularity: PopularityRule())
}
