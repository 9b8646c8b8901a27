package import Configuration
internal import Persistence
package import Providers

extension StoredProductsProvider {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "stored",
        summary: "the last good snapshot of a store",
        fields: [.required("store", .component(StoreFamily.self), "the store that is read")],
        example: "{ type: stored, store: { type: json_file, directory: /var/lib/larder } }",
        facts: [ProviderTraits(outlivesRestarts: true)],
        plan: { reader in
            let store = reader.component("store", StoreFamily.self)
            return { assembly in StoredProductsProvider(store: try store.instantiate(in: assembly)) }
        })
}
