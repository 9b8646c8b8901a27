/// The name of a member of a product, one that we know or one of its attributes.
struct ProductMember: CodingKey, Hashable {
    let stringValue: String

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    var intValue: Int? { nil }

    init?(intValue: Int) { nil }

    static let type = ProductMember(stringValue: "type")
    static let id = ProductMember(stringValue: "id")
    static let name = ProductMember(stringValue: "name")
    static let price = ProductMember(stringValue: "price")
    static let sales = ProductMember(stringValue: "sales")
    static let description = ProductMember(stringValue: "description")
    static let imageURL = ProductMember(stringValue: "imageURL")
    static let category = ProductMember(stringValue: "category")
    static let isPopular = ProductMember(stringValue: "isPopular")
    static let weight = ProductMember(stringValue: "weight")
    static let dimensions = ProductMember(stringValue: "dimensions")
    static let downloadURL = ProductMember(stringValue: "downloadURL")
    static let size = ProductMember(stringValue: "size")

    /// What every kind has. `isPopular` is among them because it is computed here: what an upstream says of it is
    /// dropped, and can never stand beside our own.
    static let common: [ProductMember] = [
        .type, .id, .name, .price, .sales, .description, .imageURL, .category, .isPopular,
    ]
}
