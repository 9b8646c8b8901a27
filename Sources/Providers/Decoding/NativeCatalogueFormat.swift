public import Products

/// The decoder for upstreams that speak Larder's own form: an array, or an object with `products`.
public struct NativeCatalogueFormat: CatalogueDecoder {
    /// Makes the decoder.
    public init() {}

    /// Decodes a document.
    public func products(from body: [UInt8]) throws(ProductsFailure) -> [any Product] {
        try NativeCatalogueDecoder().products(from: body)
    }
}
