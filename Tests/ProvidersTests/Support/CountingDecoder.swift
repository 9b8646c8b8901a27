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

    func products(from body: [UInt8]) throws(ProductsFailure) -> [any Product] {
        decoded.add(1, ordering: .relaxed)
        return try NativeCatalogueFormat().products(from: body)
    }
}
