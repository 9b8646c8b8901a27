internal import JSON
internal import Products
internal import Providers
internal import Synchronization

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

    var itemsPaths: [JSONPath] { NativeCatalogueFormat.itemsPaths }

    var idPaths: [JSONPath] { NativeCatalogueFormat.idPaths }

    func decode(_ body: [UInt8]) throws(ProductsFailure) -> DecodedProducts {
        decoded.add(1, ordering: .relaxed)
        return try NativeCatalogueFormat().decode(body)
    }

    func decode(items: [JSONValue]) throws(ProductsFailure) -> DecodedProducts {
        decoded.add(1, ordering: .relaxed)
        return try NativeCatalogueFormat().decode(items: items)
    }
}
