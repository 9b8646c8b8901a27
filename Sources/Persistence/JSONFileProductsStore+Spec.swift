public import Configuration
import CoreMetrics
import Logging

/// What stores made from a config need beside logger and metrics; a resource of the assembly, which may be absent.
public struct StoreEnvironment: Sendable {
    /// How long a closing store waits for its saves.
    public let closingTime: Duration

    /// Creates an environment.
    public init(closingTime: Duration) {
        self.closingTime = closingTime
    }
}

extension JSONFileProductsStore {
    /// `type: json_file` in the `stores:` section.
    public static let spec = ComponentSpec<StoreFamily>(
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
                    failures: StoreFailureMeter(
                        store: label, factory: assembly.optionalResource((any MetricsFactory).self)))
                let limit = assembly.optionalResource(StoreEnvironment.self)?.closingTime
                assembly.onShutdown("store \(name)") {
                    await store.close(within: limit ?? JSONFileProductsStore.closingTime)
                }
                return store
            }
        })
}
