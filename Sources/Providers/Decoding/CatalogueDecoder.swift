internal import Configuration
public import JSON
internal import Logging
public import PolymorphicCodable
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

/// Picks the decoder that a node's configuration asks for.
enum CatalogueFormats {
    /// Larder's own format, unless the field is there and asks for more than a policy about unknown kinds.
    static func decoder(_ reader: FieldReader, _ field: String) -> any CatalogueDecoder {
        guard let inner = reader.optionalObject(field) else { return NativeCatalogueFormat() }
        let mapping = CatalogueMapping(inner)
        let isNative = mapping.keepsItems && mapping.items == nil && mapping.onBadItem == .reject
        return isNative && mapping.attributes == .keep
            ? NativeCatalogueFormat(unknownKinds: mapping.unknownKinds) : MappedCatalogueFormat(mapping: mapping)
    }
}

/// Runs work that may take over a millisecond (decoding, checking, a disk) off the event loop of its caller, and returns
/// to that loop.
func offLoop<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(globalConcurrentExecutor) { try await work() }
}

extension Logger {
    /// Says that items of an upstream were left out, in one line for all of them; nothing when none was.
    ///
    /// - Parameters:
    ///   - provider: the node that read them.
    ///   - secrets: what the upstream was told, and may have sent back in them.
    func report(skipped: [SkippedItem], by provider: String, redacting secrets: [String] = []) {
        guard let first = skipped.first else { return }
        let reason = Redaction(secrets).applied(to: first.reason)
        warning(
            "items were left out of the catalogue",
            metadata: ["provider": "\(provider)", "items": "\(skipped.count)", "first": "\(reason)"])
    }
}
