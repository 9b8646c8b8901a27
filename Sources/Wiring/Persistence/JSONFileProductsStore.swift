package import Configuration
internal import CoreMetrics
internal import Logging
package import Persistence

extension JSONFileProductsStore {
    static let spec = ComponentSpec<StoreFamily>(
        type: "json_file",
        summary: "a directory of JSON files, one a generation, written atomically and checked when read",
        fields: [
            .required("directory", .path, "where the files are; made at the first save"),
            .defaulted("keep", .integer, "3", "how many generations stay, the newest included"),
        ],
        example: "{ type: json_file, directory: /var/lib/larder, keep: 3 }",
        plan: { reader in
            let directory = reader.path("directory")
            let keep = reader.integer("keep", in: 1...1000)
            let (name, label) = (reader.name, StoreFamily.metricLabel(reader.path))
            return { assembly in
                let store = JSONFileProductsStore(
                    name: name, directory: directory, keep: keep,
                    movesDamaged: assembly.optionalResource(DryRun.self) == nil, logger: assembly.resource(Logger.self),
                    metricLabel: label, metrics: assembly.optionalResource((any MetricsFactory).self))
                let limit = assembly.optionalResource(StoreEnvironment.self)?.closingTime
                assembly.onShutdown("store \(name)") {
                    await store.close(within: limit ?? JSONFileProductsStore.closingTime)
                }
                return store
            }
        })
}

extension GenerationArchive {
    /// Opens the archive of a store of a checked config; nil for a component that is no store of generations.
    package init?(_ outline: ComponentOutline) {
        guard outline.family == StoreFamily.noun, outline.type == JSONFileProductsStore.spec.type,
            let directory = outline.settings.text("directory")
        else { return nil }
        self.init(directory: directory)
    }
}
