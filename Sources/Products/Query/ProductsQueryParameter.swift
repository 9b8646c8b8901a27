/// The parameters of a query for products, by their names.
public enum ProductsQueryParameter: String, Sendable, Hashable, CaseIterable {
    /// How many products a page has at most.
    case limit
    /// Where the page begins: what the page before it gave.
    case cursor
    /// A list of kinds.
    case type
    /// A list of categories.
    case category
    /// `true` or `false`.
    case popular
    /// A list of ids.
    case ids
    /// Words to search for.
    case q
    /// The least amount of the price.
    case minPrice = "min_price"
    /// The greatest amount of the price.
    case maxPrice = "max_price"
    /// A list of sort keys.
    case sort
    /// A list of members that are wanted.
    case fields
    /// How products are shown.
    case view

    /// Those that a single product can be asked for with.
    public static let ofOneProduct: [ProductsQueryParameter] = [.fields, .view]
}
