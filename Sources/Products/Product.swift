public import JSON

/// One product of any kind.
///
/// The kinds are closed and listed in ``ProductKind``; a product is decoded by the `type` it carries and writes that
/// `type` itself. Its canonical encoding has the members `type`, `id`, `name`, `price`, `sales`, `description`,
/// `imageURL`, `category`, those of the kind, and then the attributes.
public protocol Product: Sendable, Codable {
    /// The kind all products of this type are.
    static var kind: ProductKind { get }
    /// What tells this product from all others of a catalogue.
    var id: String { get }
    /// What people call it.
    var name: String { get }
    /// What one costs.
    var price: Price { get }
    /// How many have been sold.
    var sales: Int { get }
    /// A text about it.
    var description: String? { get }
    /// Where a picture of it is.
    var imageURL: String? { get }
    /// What it is listed under.
    var category: String? { get }
    /// The members that no kind names, in the order they came in, to be written back unchanged.
    var attributes: JSONObject { get }
}

extension Product {
    /// The kind of this product.
    public var kind: ProductKind { Self.kind }
}
