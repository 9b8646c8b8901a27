package import Products

/// Saves to a store in the background: `save` returns at once, and the store reports failures.
package struct BackgroundSaver: ProductsSaver {
    private let store: any ProductsStore

    package init(_ store: any ProductsStore) {
        self.store = store
    }

    package func save(_ snapshot: ProductsSnapshot) async throws {
        store.saveLater(snapshot)
    }
}
