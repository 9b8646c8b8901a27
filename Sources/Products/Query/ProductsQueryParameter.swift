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

    /// What values a parameter takes.
    public enum Form: Sendable, Hashable {
        /// A whole number from 1 to what ``PageLimits`` allow.
        case count
        /// A decimal number.
        case amount
        /// `true` or `false`.
        case flag
        /// One of these words.
        case choice([String])
        /// Some of these words, between commas.
        case choices([String])
        /// Any texts, between commas.
        case list
        /// Words to search for.
        case words
        /// What an earlier answer gave.
        case cursor
    }

    /// What values it takes.
    public var form: Form {
        switch self {
        case .limit: .count
        case .cursor: .cursor
        case .type, .category, .ids, .fields: .list
        case .popular: .flag
        case .q: .words
        case .minPrice, .maxPrice: .amount
        case .sort: .choices(ProductsSortKey.texts)
        case .view: .choice(ProductsView.allCases.map(\.rawValue))
        }
    }

    /// What it does, in a sentence or two for clients.
    public var meaning: String {
        switch self {
        case .limit: "How many products the page has at most."
        case .cursor:
            "Where the page begins: the `next` of the page before, whose filters and order are to be repeated."
        case .type: "Products whose `type` is one of these."
        case .category: "Products whose category is one of these."
        case .popular: "Products that are popular, or those that are not."
        case .ids: "Products with these ids, in the order of the catalogue."
        case .q:
            "Products in whose name, description and category each of these words occurs, whatever their case and "
                + "accents; at most \(ProductsQuery.wordLimit) words."
        case .minPrice: "Products that cost so much or more, whatever the currency."
        case .maxPrice: "Products that cost so much or less, whatever the currency."
        case .sort: "What the products are sorted by, the first key first; `-` before a key for the greatest first."
        case .fields: "The members that are wanted of each product; `type` and `id` always are."
        case .view: "How the products are shown; as they are when it is not given."
        }
    }

    /// A value as a query has it; nil where only an answer has one.
    public var example: String? {
        switch self {
        case .limit: "20"
        case .cursor: nil
        case .type: "\(ProductKind.physical.rawValue),\(ProductKind.bundle.rawValue)"
        case .category: "Kitchen"
        case .popular: "true"
        case .ids: "p-1,p-2"
        case .q: "olive oil"
        case .minPrice: "1.50"
        case .maxPrice: "19.99"
        case .sort: "\(ProductsSortKey(.sales, isDescending: true)),\(ProductsSortKey(.name))"
        case .fields: "\(ProductMember.name),\(ProductMember.price)"
        case .view: ProductsView.display.rawValue
        }
    }
}
