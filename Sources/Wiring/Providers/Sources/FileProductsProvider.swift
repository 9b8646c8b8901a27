internal import Concurrency
package import Configuration
internal import CoreMetrics
internal import Logging
package import Providers

extension FileProductsProvider {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "file",
        summary: "a JSON file, read again when it changes: the bundled last resort",
        fields: [
            .required("path", .path, "the file"),
            .optional("decode", .object(CatalogueMapping.fields), "turns somebody else's JSON into products"),
        ],
        example: "{ type: file, path: /etc/larder/bundled.json }",
        facts: [ProviderTraits(outlivesRestarts: true)],
        plan: { reader in
            let path = reader.path("path")
            let decoder = CatalogueFormats.decoder(reader, "decode")
            let name = reader.name
            return { assembly in
                FileProductsProvider(
                    name: name, path: path, decoder: decoder, wallClock: assembly.resource(WallClock.self),
                    logger: assembly.resource(Logger.self),
                    metrics: assembly.optionalResource((any MetricsFactory).self))
            }
        })
}
