public import Configuration
internal import Persistence
public import Products

/// Answers with the last good snapshot of a store.
public struct StoredProductsProvider: ProductsProvider {
    /// `type: stored` in the `providers:` section.
    public static let spec = ComponentSpec<ProviderFamily>(
        type: "stored",
        summary: "the last good snapshot of a store",
        fields: [.required("store", .component(StoreFamily.self), "the store that is read")],
        example: "{ type: stored, store: { type: json_file, directory: /var/lib/larder } }",
        plan: { reader in
            let store = reader.component("store", StoreFamily.self)
            return { assembly in StoredProductsProvider(store: try store.instantiate(in: assembly)) }
        })

    private let store: any ProductsProvider

    /// Makes a provider that reads `store`.
    public init(store: any ProductsProvider) {
        self.store = store
    }

    /// Returns the stored snapshot.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try await store.products(for: request)
    }
}
