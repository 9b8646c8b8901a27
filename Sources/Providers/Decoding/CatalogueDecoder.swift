public import Products

/// Turns the body of an upstream's answer or of a file into products.
public protocol CatalogueDecoder: Sendable {
    /// Decodes a whole catalogue.
    ///
    /// May take many milliseconds: call it off the event loops.
    /// - Throws: `ProductsFailure.malformed` with the place and what was found there.
    func products(from body: [UInt8]) throws(ProductsFailure) -> [any Product]
}
