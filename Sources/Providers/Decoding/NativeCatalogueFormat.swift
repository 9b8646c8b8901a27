public import JSON
public import PolymorphicCodable
public import Products

/// The decoder for upstreams that speak Larder's own form: an array, or an object with `products`.
public struct NativeCatalogueFormat: CatalogueDecoder {
    /// The document itself, or else its member `products`.
    public static let itemsPaths = [JSONPath.root] + ["products"].compactMap { JSONPath($0) }
    /// `id`.
    public static let idPaths = ["id"].compactMap { JSONPath($0) }

    private let decoder: NativeCatalogueDecoder

    /// Makes the decoder.
    /// - Parameter unknownKinds: what happens to products whose `type` names no kind.
    public init(unknownKinds: UnknownKindPolicy = .reject) {
        decoder = NativeCatalogueDecoder(unknownKinds: unknownKinds)
    }

    /// The document itself, or else its member `products`.
    public var itemsPaths: [JSONPath] { Self.itemsPaths }

    /// `id`.
    public var idPaths: [JSONPath] { Self.idPaths }

    /// Decodes a document as it is read, so that its tree is never all in memory.
    public func decode(_ body: [UInt8]) throws(ProductsFailure) -> DecodedProducts {
        try decoder.decode(body)
    }

    /// Decodes items that have been read.
    public func decode(items: [JSONValue]) throws(ProductsFailure) -> DecodedProducts {
        try decoder.decode(items: items)
    }
}
