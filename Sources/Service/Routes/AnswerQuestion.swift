internal import Products

/// What can be asked of a revision beside all of it, by which answers are kept.
enum AnswerQuestion: Sendable, Hashable {
    /// What a query finds.
    case page(ProductsQuery)
    /// One product, by its position in the catalogue.
    case product(Int, view: ProductsView?, fields: ProductFields?)

    /// Roughly how many bytes of memory the question takes.
    var approximateSize: Int {
        switch self {
        case .page(let query): query.approximateSize
        case .product(_, _, let fields): ProductsQuery(fields: fields).approximateSize
        }
    }
}
