package import Configuration
internal import Persistence
package import Products
internal import Wiring

/// Answers with the last good snapshot of a store.
package struct StoredProductsProvider: ProductsProvider {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "stored",
        summary: "the last good snapshot of a store",
        fields: [.required("store", .component(StoreFamily.self), "the store that is read")],
        example: "{ type: stored, store: { type: json_file, directory: /var/lib/larder } }",
        plan: { reader in
            let store = reader.component("store", StoreFamily.self)
            return { assembly in StoredProductsProvider(store: try store.instantiate(in: assembly)) }
        })

    let store: any ProductsProvider

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try await store.products(for: request)
    }
}
