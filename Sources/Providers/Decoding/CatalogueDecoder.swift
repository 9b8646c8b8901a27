public import JSON
public import Products

/// Turns the body of an upstream's answer or of a file into products.
///
/// Both ways of decoding may take many milliseconds: call them off the event loops. What was left out on purpose is
/// told with the products; who asked for them has it logged.
public protocol CatalogueDecoder: Sendable {
    /// Where the items of a document may be, in order of preference; the first that leads to an array counts.
    var itemsPaths: [JSONPath] { get }
    /// Where an item's id may be, in order of preference, for those who must tell items apart before they are products.
    var idPaths: [JSONPath] { get }
    /// Decodes a whole document.
    /// - Throws: `ProductsFailure.malformed` with the place and what was found there.
    func decode(_ body: [UInt8]) throws(ProductsFailure) -> DecodedProducts
    /// Decodes the items of a document, or of several, in order; an error's index counts through all of them.
    /// - Throws: `ProductsFailure.malformed` with the place and what was found there.
    func decode(items: [JSONValue]) throws(ProductsFailure) -> DecodedProducts
}
