import FoundationEssentials
import JSON
import PolymorphicCodable
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
    try decode(text).products
}

func decode(_ text: String, unknownKinds: UnknownKindPolicy = .reject) throws -> DecodedProducts {
    try NativeCatalogueDecoder(unknownKinds: unknownKinds).decode(Array(text.utf8))
}

/// The JSON of a product: the members that every product needs, and after them those of the text.
func item(_ type: String, id: String = "1", _ members: String = "") -> String {
    #"{"type":"\#(type)","id":"\#(id)","name":"Mug","price":{"amount":1,"currency":"EUR"}\#(members)}"#
}

/// A product of the text's members, after those that every product needs.
func decodeProduct(_ type: String = "physical", _ members: String = "") throws -> any Product {
    try decodeProducts("[\(item(type, members))]")[0]
}

func encode(_ product: any Product) throws -> String {
    String(decoding: try JSONByteEncoder.encode(product), as: UTF8.self)
}

/// How messages list the kinds.
let knownKinds = #""physical", "digital", "subscription", "bundle", "giftCard""#
