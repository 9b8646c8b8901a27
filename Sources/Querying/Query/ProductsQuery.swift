package import FoundationEssentials
internal import Hashing
internal import JSON
internal import Products

/// Filters, order and page of the products wanted from a catalogue.
///
/// A product must pass all filters; nil passes every product. Texts compare with those of products as `String` does, so
/// that composed and decomposed accents are equal; all except `words` are case-sensitive. Queries are equal only if
/// their texts have the same bytes.
package struct ProductsQuery: Sendable, Hashable {
    /// Products of these types. An unknown type is not an error, since unknown kinds can be kept.
    package var types: Set<ExactText>?
    package var categories: Set<ExactText>?
    /// Popular products, or all others.
    package var popular: Bool?
    /// Products with these ids, in catalogue order. An unknown id is not an error.
    package var ids: Set<ExactText>?
    /// Products whose name, description or category contains each of these, as a word or a part of one.
    package var words: Set<SearchWord>
    /// The lowest price. Amounts compare without their currency: a catalogue of several needs another filter too.
    package var minPrice: Decimal?
    /// The highest price, without its currency.
    package var maxPrice: Decimal?
    /// The sort keys, the primary one first. Equal products stay in catalogue order.
    package var sort: [ProductsSortKey]
    /// The length of the page; nil for all remaining products.
    package var limit: Int?
    /// The beginning of the page; nil for the first one.
    package var cursor: PageCursor?
    /// The members wanted of each product; nil for all.
    package var fields: ProductFields?
    /// The form of the products; nil for the plain one.
    package var view: ProductsView?
    /// The language of the texts, which filters and order do not look at; nil for the products as they are stored.
    package var language: String?
    /// The filters by declared keys and attributes, as their parameters' values.
    package var declared: [DeclaredParameter: Set<ExactText>] = [:]
    /// The members whose values are counted, in their order.
    package var facets: [String] = []
    /// The most values of each facet.
    package var facetLimit = Self.usualFacetLimit
    /// The variants of each product; nil for all.
    package var variants: VariantsChoice?

    /// The most values of a facet without the parameter.
    package static let usualFacetLimit = 100
    /// The most values of a facet.
    package static let greatestFacetLimit = 1000

    /// Creates a query; without arguments, for the whole catalogue.
    /// - Parameter text: split into `words`.
    package init(
        types: Set<ExactText>? = nil, categories: Set<ExactText>? = nil, popular: Bool? = nil,
        ids: Set<ExactText>? = nil, text: String = "", minPrice: Decimal? = nil, maxPrice: Decimal? = nil,
        sort: [ProductsSortKey] = [], limit: Int? = nil, cursor: PageCursor? = nil, fields: ProductFields? = nil,
        view: ProductsView? = nil
    ) {
        self.types = types
        self.categories = categories
        self.popular = popular
        self.ids = ids
        words = SearchWord.words(of: text)
        self.minPrice = minPrice
        self.maxPrice = maxPrice
        self.sort = sort
        self.limit = limit
        self.cursor = cursor
        self.fields = fields
        self.view = view
    }

    /// The form of the products.
    package var form: ProductsForm { ProductsForm(view: view, language: language) }

    /// Whether the result is all products, whole and in catalogue order, in any form, so that no index is needed.
    package var isWholeCatalogue: Bool {
        var rest = self
        (rest.view, rest.language) = (nil, nil)
        return rest == ProductsQuery()
    }

    /// Whether a filter is by a member.
    func hasFilter(by member: String) -> Bool {
        switch ProductsQueryParameter(rawValue: member) {
        case .type: types != nil
        case .category: categories != nil
        case .popular: popular != nil
        default: declared.keys.contains { $0.member == member }
        }
    }

    /// Takes the value of a parameter.
    mutating func set(
        _ parameter: ProductsQueryParameter, _ value: QueryValue, _ known: ProductsQueryParameters, _ limits: PageLimits
    ) throws(ProductsQueryProblem) {
        switch parameter {
        case .limit:
            let isNone = value.isZero && known.contains(.facets)
            limit = isNone ? 0 : try value.count(in: 1...max(1, limits.greatest))
        case .cursor: cursor = try value.cursor()
        case .type: types = try value.texts(with: types)
        case .category: categories = try value.texts(with: categories)
        case .popular: popular = try value.flag()
        case .ids: ids = try value.texts(with: ids)
        case .q: words = try value.words(limit: Self.wordLimit)
        case .minPrice: minPrice = try value.amount()
        case .maxPrice: maxPrice = try value.amount()
        case .sort: sort = try value.sortKeys(of: known, after: sort)
        case .fields: fields = ProductFields((fields?.names ?? []).union(try value.list()))
        case .view: view = try value.choice(of: ProductsView.self)
        case .facets: facets = try value.choices(of: known.facets, after: facets)
        case .facetLimit: facetLimit = try value.count(in: 1...Self.greatestFacetLimit)
        case .variants: variants = try value.choice(of: VariantsChoice.self)
        }
    }

    /// A hash of filters and order for ``PageCursor``: equal for queries whose pages fit together.
    var fingerprint: UInt64 {
        var selection = JSONObject(minimumCapacity: 8)
        for parameter in ProductsQueryParameter.allCases {
            if let (name, value) = selected(by: parameter) { selection[name] = value }
        }
        for (parameter, values) in declared.sorted(by: { $0.key.name < $1.key.name }) {
            selection[".\(parameter.name)"] = Self.list(values.map(\.text))
        }
        return SHA256Digest(of: JSONValue.object(selection).encoded()).words[0]
    }

    /// The contribution of a parameter to the hash; nil for parameters that may change from page to page.
    private func selected(by parameter: ProductsQueryParameter) -> (name: String, value: JSONValue)? {
        switch parameter {
        case .limit, .cursor, .fields, .view, .facets, .facetLimit, .variants: nil
        case .type: texts(of: parameter).map { ("types", Self.list($0)) }
        case .category: texts(of: parameter).map { ("categories", Self.list($0)) }
        case .popular: popular.map { ("popular", .bool($0)) }
        case .ids: texts(of: parameter).map { ("ids", Self.list($0)) }
        case .q: texts(of: parameter).map { ("words", Self.list($0)) }
        case .minPrice: minPrice.map { ("minPrice", Self.number($0)) }
        case .maxPrice: maxPrice.map { ("maxPrice", Self.number($0)) }
        case .sort: ("sort", .array(sort.map { .string($0.description) }))
        }
    }

    /// The texts of a parameter, possibly thousands; nil without the parameter, or if it takes none.
    private func texts(of parameter: ProductsQueryParameter) -> [String]? {
        switch parameter {
        case .type: types?.map(\.text)
        case .category: categories?.map(\.text)
        case .ids: ids?.map(\.text)
        case .q: words.map(\.folded)
        case .fields: fields.map { Array($0.names) }
        case .facets: facets
        case .limit, .cursor, .popular, .minPrice, .maxPrice, .sort, .view, .facetLimit, .variants: nil
        }
    }

    /// Equal amounts have one notation.
    private static func number(_ amount: Decimal) -> JSONValue {
        ExactDecimal(amount).digits.map(JSONValue.number) ?? .string(amount.description)
    }

    /// Sorted by bytes, since `String` does not order canonically equal texts.
    private static func list(_ texts: [String]) -> JSONValue {
        .array(texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map(JSONValue.string))
    }

    /// The approximate memory of the query, for caches by query.
    package var approximateSize: Int {
        let texts = ProductsQueryParameter.allCases.compactMap(texts(of:)).flatMap(\.self)
        let filters = declared.values.flatMap { $0.map(\.text) }
        return (texts + filters).reduce(MemoryLayout<ProductsQuery>.size) { $0 + Self.overhead + $1.utf8.count }
    }

    /// The bytes of a text's object, and of its place in a set that may be half empty.
    private static let overhead = 80
}

/// The values of the query parameter `view`.
package enum ProductsView: String, CaseIterable, Sendable {
    /// Texts for a shop's page.
    case display
}

/// The values of the query parameter `variants`.
package enum VariantsChoice: String, CaseIterable, Sendable {
    /// The variants that pass all filters by keys and attributes of variants.
    case matching
}

/// The form of the products in a response; the plain one by default.
package struct ProductsForm: Sendable, Hashable {
    package var view: ProductsView?
    /// The language of the texts; nil for the products as they are stored.
    package var language: String?

    package init(view: ProductsView? = nil, language: String? = nil) {
        (self.view, self.language) = (view, language)
    }
}
