package import Decoding
package import JSON
package import Products
internal import Synchronization

/// What a `decode:` mapping makes of a document.
package func decodeMapped(_ text: String, _ mapping: String) throws -> DecodedProducts {
    try makeDecoder(mapping).decode(Array(text.utf8))
}

/// What is wrong with a document by a `decode:` mapping; nil when nothing is.
package func mappedProblem(_ text: String, _ mapping: String) throws -> String? {
    do {
        _ = try decodeMapped(text, mapping)
        return nil
    } catch ProductsFailure.malformed(let detail, _) {
        return detail
    }
}

/// The decoder for our own form, which counts what it decodes.
package final class CountingDecoder: CatalogueDecoder {
    private let decoded = Atomic(0)
    private let onDeinit: @Sendable () -> Void

    package init(onDeinit: @escaping @Sendable () -> Void = {}) {
        self.onDeinit = onDeinit
    }

    deinit {
        onDeinit()
    }

    package var count: Int { decoded.load(ordering: .relaxed) }

    package var format: DocumentFormat { .json }

    package var itemsPaths: [JSONPath] { NativeCatalogueDecoder.itemsPaths }

    package var idPaths: [JSONPath] { NativeCatalogueDecoder.idPaths }

    package func items(in document: JSONValue) -> [JSONValue]? { document.firstArray(at: itemsPaths) }

    package func decode(_ body: [UInt8], knowing known: KnownProducts?) throws(ProductsFailure) -> DecodedProducts {
        decoded.add(1, ordering: .relaxed)
        return try NativeCatalogueDecoder().decode(body)
    }

    package func decode(items: [JSONValue]) throws(ProductsFailure) -> DecodedProducts {
        decoded.add(1, ordering: .relaxed)
        return try NativeCatalogueDecoder().decode(items: items)
    }
}

extension CatalogueDecoder {
    /// Decodes a whole document without knowing an earlier one.
    package func decode(_ body: [UInt8]) throws(ProductsFailure) -> DecodedProducts {
        try decode(body, knowing: nil)
    }
}
