internal import Concurrency
package import Configuration
internal import CoreMetrics
internal import Decoding
internal import Logging
package import Upstreams

extension FaultProductsProvider {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "fault",
        summary: "fails or delays on purpose, for drills",
        fields: [
            .defaulted("error", .choice(FaultKind.self), "none", "how every question fails"),
            .defaulted("delay", .duration, "0s", "how long every answer, or failure, takes longer"),
            .optional("upstream", .component(ProviderFamily.self), "asked when there is no error; then required"),
        ],
        example: """
            { type: fault, error: status-503, delay: 200ms, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        facts: [ProviderTraits(passesOn: true) { ($1.max() ?? .zero) + ($0.duration("delay") ?? .zero) }],
        plan: { reader in
            let kind = reader.choice("error", FaultKind.self)
            let delay = reader.duration("delay")
            let upstream = reader.optionalComponent("upstream", ProviderFamily.self)
            if reader.isSound, kind == .none, upstream == nil {
                reader.report(.error, at: nil, "a fault without an error needs an upstream")
            }
            let name = reader.name
            return { assembly in
                FaultProductsProvider(
                    name: name, failure: kind.failure, delay: delay, upstream: try upstream?.instantiate(in: assembly))
            }
        })
}

extension FileProductsProvider {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "file",
        summary: "a file, read again when it changes, also packed by gzip: the bundled last resort",
        fields: [
            .required("path", .path, "the file"),
            .optional("decode", .object(CatalogueMapping.fields), "turns an upstream's own documents into products"),
        ],
        example: "{ type: file, path: /etc/larder/bundled.json }",
        facts: [ProviderTraits(outlivesRestarts: true, longestWait: ProviderTraits.slowest)],
        plan: { reader in
            let path = reader.path("path")
            let decoder = CatalogueFormats.decoder(reader, "decode")
            let name = reader.name
            return { assembly in
                FileProductsProvider(
                    name: name, path: path, decoder: assembly.explaining(decoder, of: name),
                    wallClock: assembly.resource(WallClock.self),
                    logger: assembly.resource(Logger.self),
                    metrics: assembly.optionalResource((any MetricsFactory).self))
            }
        })
}

/// The `stored` provider: a store in the graph. A store provides products itself, so it is the node.
package enum StoredProductsProvider {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "stored",
        summary: "the last good snapshot of a store",
        fields: [.required("store", .component(StoreFamily.self), "the store that is read")],
        example: "{ type: stored, store: { type: json_file, directory: /var/lib/larder } }",
        facts: [ProviderTraits(outlivesRestarts: true, longestWait: ProviderTraits.slowest)],
        plan: { reader in
            let store = reader.component("store", StoreFamily.self)
            return { assembly in try store.instantiate(in: assembly) }
        })
}
