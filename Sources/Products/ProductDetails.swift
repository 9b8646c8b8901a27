public import JSON

/// What products of every kind have, so that a kind adds only what is its own.
public struct ProductDetails: Sendable, Hashable {
    /// What tells this product from all others of a catalogue. A number in JSON becomes its text.
    public var id: String
    /// What people call it.
    public var name: String
    /// What one costs.
    public var price: Price
    /// How many have been sold; zero when the source does not say.
    public var sales: Int
    /// A text about it.
    public var description: String?
    /// Where a picture of it is.
    public var imageURL: String?
    /// What it is listed under.
    public var category: String?
    /// The members that no kind names. One that bears the name of a member we write, `isPopular` included, is never
    /// written.
    public var attributes: JSONObject

    /// Details of a product.
    public init(
        id: String, name: String, price: Price, sales: Int = 0, description: String? = nil, imageURL: String? = nil,
        category: String? = nil, attributes: JSONObject = JSONObject()
    ) {
        self.id = id
        self.name = name
        self.price = price
        self.sales = sales
        self.description = description
        self.imageURL = imageURL
        self.category = category
        self.attributes = attributes
    }
}
