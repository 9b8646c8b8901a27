extension ProductsQuery {
    /// How many words can be searched for at once; each costs a look at all words of the catalogue.
    public static let wordLimit = 8

    /// The query of a list of parameters, decoded.
    ///
    /// Whether a cursor belongs to the query and to the catalogue is told by ``CatalogueIndex/page(of:)``.
    /// - Parameters:
    ///   - items: the parameters' names and values, in their order.
    ///   - known: the parameters that the resource takes.
    ///   - limits: how long pages may be.
    /// - Throws: the first problem in the order of the parameters.
    public init(
        parsing items: some Sequence<(name: String, value: String?)>,
        taking known: [ProductsQueryParameter] = ProductsQueryParameter.allCases, limits: PageLimits
    ) throws(ProductsQueryProblem) {
        self.init(limit: known.contains(.limit) ? limits.whenNotGiven : nil)
        var read: Set<ProductsQueryParameter> = []
        for item in items {
            guard let parameter = ProductsQueryParameter(rawValue: item.name), known.contains(parameter) else {
                throw .unknown(item.name, known: known)
            }
            guard read.insert(parameter).inserted else { throw .repeated(parameter) }
            try set(QueryValue(parameter, item.value), limits)
        }
        if let minPrice, let maxPrice, minPrice > maxPrice {
            throw .pricesOutOfOrder(least: minPrice, greatest: maxPrice)
        }
    }

    private mutating func set(_ value: QueryValue, _ limits: PageLimits) throws(ProductsQueryProblem) {
        switch value.parameter {
        case .limit: limit = try value.count(in: 1...max(1, limits.greatest))
        case .cursor: cursor = try value.cursor()
        case .type: types = Set(try value.list().map { ExactText($0) })
        case .category: categories = Set(try value.list().map { ExactText($0) })
        case .popular: popular = try value.flag()
        case .ids: ids = Set(try value.list().map { ExactText($0) })
        case .q: words = try value.words(limit: Self.wordLimit)
        case .minPrice: minPrice = try value.amount()
        case .maxPrice: maxPrice = try value.amount()
        case .sort: sort = try value.sortKeys()
        case .fields: fields = ProductFields(try value.list())
        case .view: view = try value.choice(of: ProductsView.self)
        }
    }
}
