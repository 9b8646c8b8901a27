/// One product of any kind.
///
/// The kinds are closed and listed in ``ProductVariant``; a product is decoded by the `type` it carries and writes that
/// `type` itself. Its canonical encoding has the members `type`, `id`, `name`, `price`, `sales`, `description`,
/// `imageURL`, `category`, those of the kind, and then the attributes.
public protocol Product: Sendable, Codable {
    /// What it has in common with products of every kind.
    var details: ProductDetails { get }
    /// The value of `type`: a ``ProductKind``'s raw value, or the unknown one that was kept.
    var typeName: String { get }
    /// The product itself, as one of the closed set of kinds.
    var variant: ProductVariant { get }
}
