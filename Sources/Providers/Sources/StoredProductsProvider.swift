public import Configuration
internal import Persistence
public import Products

/// The last good snapshot of a store.
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

    /// Reads from `store`.
    public init(store: any ProductsProvider) {
        self.store = store
    }

    /// What the store holds.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        try await store.products(for: request)
    }
}
