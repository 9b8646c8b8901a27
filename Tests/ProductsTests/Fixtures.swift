import FoundationEssentials
import JSON
import Products

func makeProduct(
    id: String = "1", name: String = "Mug", amount: Decimal = 19.9, currency: String = "EUR", sales: Int = 0,
    attributes: JSONObject = JSONObject()
) -> PhysicalProduct {
    PhysicalProduct(
        details: ProductDetails(
            id: id, name: name, price: Price(amount: amount, currency: currency), sales: sales, attributes: attributes))
}

func decodeProducts(_ text: String) throws -> [any Product] {
    try NativeCatalogueDecoder().products(from: Array(text.utf8))
}

/// A product of the text's members, after those that every product needs.
func decodeProduct(_ members: String) throws -> any Product {
    let text = #"[{"type":"physical","id":"1","name":"Mug","price":{"amount":1,"currency":"EUR"}\#(members)}]"#
    return try decodeProducts(text)[0]
}

func encode(_ product: any Product) throws -> String {
    String(decoding: try JSONByteEncoder.encode(product), as: UTF8.self)
}
