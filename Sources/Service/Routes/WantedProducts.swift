internal import HTTPServer
internal import Products

/// A request for products, as far as it could be read without asking for any.
struct WantedProducts: Sendable {
    let request: HTTPRequest
    /// Nil for all products.
    let query: ProductsQuery?
    /// The coding that is best sent, and whether none will do as well.
    let coding: (best: ContentCoding, orNone: Bool)
}
