package import Configuration

/// The `stored` provider: a store's place in the graph. A store provides products itself, so the node is the store.
package enum StoredProductsProvider {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "stored",
        summary: "the last good snapshot of a store",
        fields: [.required("store", .component(StoreFamily.self), "the store that is read")],
        example: "{ type: stored, store: { type: json_file, directory: /var/lib/larder } }",
        facts: [ProviderTraits(outlivesRestarts: true)],
        plan: { reader in
            let store = reader.component("store", StoreFamily.self)
            return { assembly in try store.instantiate(in: assembly) }
        })
}
