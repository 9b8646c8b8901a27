internal import JSON
internal import Products
internal import Synchronization

@testable internal import Decoding

/// What a `decode:` mapping makes of a document.
func decodeMapped(_ text: String, _ mapping: String) throws -> DecodedProducts {
    try makeDecoder(mapping).decode(Array(text.utf8))
}

/// What is wrong with a document by a `decode:` mapping; nil when nothing is.
func mappedProblem(_ text: String, _ mapping: String) throws -> String? {
    do {
        _ = try decodeMapped(text, mapping)
        return nil
    } catch ProductsFailure.malformed(let detail, _) {
        return detail
    }
}

/// The decoder for our own form, which counts what it decodes.
final class CountingDecoder: CatalogueDecoder {
    private let decoded = Atomic(0)
    private let onDeinit: @Sendable () -> Void

    init(onDeinit: @escaping @Sendable () -> Void = {}) {
        self.onDeinit = onDeinit
    }

    deinit {
        onDeinit()
    }

    var count: Int { decoded.load(ordering: .relaxed) }

    var format: DocumentFormat { .json }

    var itemsPaths: [JSONPath] { NativeCatalogueDecoder.itemsPaths }

    var idPaths: [JSONPath] { NativeCatalogueDecoder.idPaths }

    func items(in document: JSONValue) -> [JSONValue]? { document.firstArray(at: itemsPaths) }

    func decode(_ body: [UInt8], knowing known: KnownProducts?) throws(ProductsFailure) -> DecodedProducts {
        decoded.add(1, ordering: .relaxed)
        return try NativeCatalogueDecoder().decode(body)
    }

    func decode(items: [JSONValue]) throws(ProductsFailure) -> DecodedProducts {
        decoded.add(1, ordering: .relaxed)
        return try NativeCatalogueDecoder().decode(items: items)
    }
}

extension CatalogueDecoder {
    /// Decodes a whole document without knowing an earlier one.
    func decode(_ body: [UInt8]) throws(ProductsFailure) -> DecodedProducts {
        try decode(body, knowing: nil)
    }
}
