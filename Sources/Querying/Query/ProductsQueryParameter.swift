package import JSON
internal import Products

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
    case facets
    case facetLimit = "facet_limit"
    case variants

    /// The parameters of a single product.
    package static let ofOneProduct: [ProductsQueryParameter] = [.fields, .view]

    /// The type of a parameter's value.
    package enum Form: Sendable, Hashable {
        /// The number of products or values in the answer, with a bound of its own. A number to filter by is an amount.
        case count
        /// A decimal number.
        case amount
        /// Some decimal numbers, separated by commas or as several parameters.
        case amounts
        /// Any text.
        case text
        /// `true` or `false`.
        case flag
        /// One of these words.
        case choice([String])
        /// Some of these words, separated by commas or as several parameters.
        case choices([String])
        /// Any texts, separated by commas or as several parameters.
        case list
        /// Words to search for.
        case words
        /// `next` of an earlier page.
        case cursor
    }

    package var form: Form {
        switch self {
        case .limit, .facetLimit: .count
        case .cursor: .cursor
        case .type, .category, .ids, .fields: .list
        case .popular: .flag
        case .q: .words
        case .minPrice, .maxPrice: .amount
        case .sort: .choices(ProductsSortKey.texts)
        case .view: .choice(ProductsView.allCases.map(\.rawValue))
        case .facets: .choices([Self.type, .category, .popular].map(\.rawValue))
        case .variants: .choice(VariantsChoice.allCases.map(\.rawValue))
        }
    }

    /// The description for clients.
    package var meaning: String {
        switch self {
        case .limit: "How many products the page has at most; 0 with `facets` for counts alone."
        case .cursor:
            "Where the page begins: the `next` of the page before, whose filters and order are to be repeated."
        case .type: "Products whose `type` is one of these."
        case .category: "Products in one of these categories, by its name, path or id."
        case .popular: "Products that are popular, or those that are not."
        case .ids: "Products with these ids, in the order of the catalogue."
        case .q:
            "Products in whose name, description and category each of these words occurs, whatever their case and "
                + "accents; at most \(ProductsQuery.wordLimit) words."
        case .minPrice: "Products with this price or more, whatever the currency."
        case .maxPrice: "Products with this price or less, whatever the currency."
        case .sort: "What the products are sorted by, the first key first; `-` before a key for the greatest first."
        case .fields: "The members that are wanted of each product; `type` and `id` always are."
        case .view: "How the products are shown; as they are when it is not given."
        case .facets:
            "The members whose values are counted, each among the products that pass the filters by all others, the most "
                + "frequent value first."
        case .facetLimit: "How many values of each facet are counted at most."
        case .variants: "`matching` for those variants alone that pass the filters by variants' members."
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
        case .facets: "\(ProductsQueryParameter.category),\(ProductsQueryParameter.type)"
        case .facetLimit: "10"
        case .variants: VariantsChoice.matching.rawValue
        }
    }
}

/// A member to sort products by, and the direction.
package struct ProductsSortKey: Sendable, Hashable, CustomStringConvertible {
    package enum Member: String, Sendable, Hashable, CaseIterable {
        /// Compared as text: `10` stands before `9`.
        case id
        /// Without case and accents.
        case name
        /// The amount, without its currency.
        case price
        case sales
        case type
        /// Without case and accents.
        case category
    }

    /// Nil for a declared attribute.
    package let member: Member?
    /// The name of the member or attribute.
    package let name: String
    /// Whether the greatest comes first. Products without the member come last either way.
    package let isDescending: Bool

    package init(_ member: Member, isDescending: Bool = false) {
        (self.member, name) = (member, member.rawValue)
        self.isDescending = isDescending
    }

    /// - Parameter attribute: the name of a declared attribute. Of several values of a product the least counts.
    package init(attribute: String, isDescending: Bool = false) {
        (member, name) = (nil, attribute)
        self.isDescending = isDescending
    }

    /// The texts of all keys, the descending ones last.
    package static let texts = [false, true].flatMap { isDescending in
        Member.allCases.map { ProductsSortKey($0, isDescending: isDescending).description }
    }

    package var description: String { (isDescending ? "-" : "") + name }
}

/// The members wanted of products.
///
/// `type` and `id` are always included, because products cannot be decoded or identified without them. Unknown names
/// are no error: kinds differ in their members, and attributes have any name. Members keep their order, and products
/// within a bundle stay whole.
package struct ProductFields: Sendable, Hashable {
    /// The names, `type` and `id` included.
    package let names: Set<String>

    /// Chooses members; adds `type` and `id`.
    package init(_ names: some Sequence<String>) {
        self.names = Set(names).union([ProductMember.type, ProductMember.id])
    }

    /// Reduces the JSON object of a product to these members.
    /// - Throws: `JSONSyntaxError` when it is no object.
    package func projection(of product: ArraySlice<UInt8>) throws(JSONSyntaxError) -> [UInt8] {
        var projection: [UInt8] = []
        try append(product, to: &projection)
        return projection
    }

    func append(_ product: ArraySlice<UInt8>, to bytes: inout [UInt8]) throws(JSONSyntaxError) {
        let whole = Array(product)
        var separator = UInt8(ascii: "{")
        for member in try JSONParser().parseMemberRanges(whole) where names.contains(member.key) {
            bytes.append(separator)
            separator = UInt8(ascii: ",")
            JSONWriter.append(.string(member.key), to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            bytes.append(contentsOf: whole[member.range])
        }
        if separator == UInt8(ascii: "{") { bytes.append(separator) }
        bytes.append(UInt8(ascii: "}"))
    }
}
