package import Products

/// Answers with the last good snapshot of a store.
package struct StoredProductsProvider: ProductsProvider {
    private let store: any ProductsProvider

    package init(store: any ProductsProvider) {
        self.store = store
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try await store.products(for: request)
    }
}
