public import Configuration
import CoreMetrics
import Logging

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
                JSONFileProductsStore(
                    name: name, directory: directory, keep: keep, logger: assembly.resource(Logger.self),
                    failures: StoreFailureMeter(
                        store: label, factory: assembly.optionalResource((any MetricsFactory).self)))
            }
        })
}
