import JSON

/// What counts of a product that Larder lists.
struct ListedProduct: Sendable, Hashable {
    var kind = "physical"
    let id: String
    let name: String
    /// As it is written, to the digit.
    let amount: String
    let currency: String
    var sales = 0
    var imageURL: String?
    var category: String?
}

extension ListedProduct {
    /// Reads a product as Larder writes it.
    init?(_ value: JSONValue) {
        guard let object = value.object, let kind = object["type"]?.string, let id = object["id"]?.string,
            let name = object["name"]?.string, let price = object["price"]?.object,
            let amount = price["amount"]?.number, let currency = price["currency"]?.string,
            let sales = object["sales"]?.number?.integer
        else { return nil }
        self.init(
            kind: kind, id: id, name: name, amount: amount.literal, currency: currency, sales: sales,
            imageURL: object["imageURL"]?.string, category: object["category"]?.string)
    }

    /// The products of a document that Larder wrote; nil unless it is one.
    static func all(in document: [UInt8]) -> [ListedProduct]? {
        guard let object = try? JSONParser().parse(document).object, let items = object["products"]?.array,
            object["total"]?.number?.integer == items.count
        else { return nil }
        let products = items.compactMap { ListedProduct($0) }
        return products.count == items.count ? products : nil
    }
}
