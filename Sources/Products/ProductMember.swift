/// The names of the members of products.
enum ProductMember {
    static let type = "type"
    static let id = "id"
    static let name = "name"
    static let price = "price"
    static let sales = "sales"
    static let description = "description"
    static let imageURL = "imageURL"
    static let category = "category"
    static let isPopular = "isPopular"
    static let weight = "weight"
    static let dimensions = "dimensions"
    static let downloadURL = "downloadURL"
    static let size = "size"
    static let interval = "interval"
    static let trialDays = "trialDays"
    static let products = "products"
    static let addOn = "addOn"
    static let denominations = "denominations"

    /// What every kind has. `isPopular` is among them because it is computed here: what an upstream says of it is
    /// dropped, and can never stand beside our own.
    static let common: Set = [type, id, name, price, sales, description, imageURL, category, isPopular]
}
