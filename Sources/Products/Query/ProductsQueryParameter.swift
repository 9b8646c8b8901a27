/// The query parameters for products; ``meaning`` describes each.
package enum ProductsQueryParameter: String, Sendable, Hashable, CaseIterable {
    case limit
    case cursor
    case type
    case category
    case popular
    case ids
    case q
    case minPrice = "min_price"
    case maxPrice = "max_price"
    case sort
    case fields
    case view

    /// The parameters of a single product.
    package static let ofOneProduct: [ProductsQueryParameter] = [.fields, .view]

    /// The type of a parameter's value.
    package enum Form: Sendable, Hashable {
        /// A whole number from 1 to the limit in ``PageLimits``.
        case count
        /// A decimal number.
        case amount
        /// `true` or `false`.
        case flag
        /// One of these words.
        case choice([String])
        /// Some of these words, separated by commas.
        case choices([String])
        /// Any texts, separated by commas.
        case list
        /// Words to search for.
        case words
        /// `next` of an earlier page.
        case cursor
    }

    package var form: Form {
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

    /// The description for clients.
    package var meaning: String {
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

    /// An example of a value; nil for a cursor, which only a page can give.
    package var example: String? {
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
