package import JSON
internal import Logging
package import Products
internal import Text

/// Decodes the body of an upstream's response or of a file into products.
///
/// Both methods may take many milliseconds: call them off the event loops. Skipped items are returned with the products,
/// for the caller to log.
package protocol CatalogueDecoder: Sendable {
    /// The paths to the items of a document, in order of preference; the first that leads to an array counts.
    var itemsPaths: [JSONPath] { get }
    /// The paths to an item's id, in order of preference, to tell items apart before they are products.
    var idPaths: [JSONPath] { get }
    /// Decodes a whole document.
    /// - Parameter known: the products of an earlier document, which a decoder may recognise in this one.
    /// - Throws: `ProductsFailure.malformed` with the place and the value found there.
    func decode(_ body: [UInt8], knowing known: KnownProducts?) throws(ProductsFailure) -> DecodedProducts
    /// Decodes the items of one or several documents, in order; an error's index counts through all of them.
    /// - Throws: `ProductsFailure.malformed` with the place and the value found there.
    func decode(items: [JSONValue]) throws(ProductsFailure) -> DecodedProducts
}

extension NativeCatalogueDecoder: CatalogueDecoder {
    static let itemsPaths = [JSONPath.root] + ["products"].compactMap { JSONPath($0) }
    static let idPaths = ["id"].compactMap { JSONPath($0) }

    /// The document itself, or else its member `products`.
    package var itemsPaths: [JSONPath] { Self.itemsPaths }

    package var idPaths: [JSONPath] { Self.idPaths }
}

extension Logger {
    /// Logs in one line that items of an upstream were skipped, if there are any.
    ///
    /// - Parameters:
    ///   - provider: the node that read them.
    ///   - secrets: the secrets sent to the upstream, which it may have sent back in the items.
    func report(skipped: [SkippedItem], by provider: String, redacting secrets: [String] = []) {
        guard let first = skipped.first else { return }
        let reason = Redaction(secrets).applied(to: first.reason)
        warning(
            "items were left out of the catalogue",
            metadata: ["provider": "\(provider)", "items": "\(skipped.count)", "first": "\(reason)"])
    }
}
