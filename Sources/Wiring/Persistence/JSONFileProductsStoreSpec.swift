internal import Concurrency
package import Configuration
internal import CoreMetrics
internal import Logging
package import Persistence
internal import Text

extension JSONFileProductsStore {
    static let spec = ComponentSpec<StoreFamily>(
        type: "json_file",
        summary: "a directory of JSON files, one a generation, written atomically and checked when read",
        fields: [
            .required("directory", .path, "where the files are; made at the first save"),
            .defaulted("keep", .integer, "3", "how many generations stay, the newest included"),
            .optional("keep_for", .object(windows), "the history that stays beyond keep, by age"),
            .optional(
                "max_bytes", .size,
                """
                the room for all generations; the oldest go first, never the newest two, or under a pin the newest and \
                the pinned
                """),
        ],
        example: """
            { type: json_file, directory: /var/lib/larder, keep_for: { all: 1h, hourly: 48h, daily: 14d }, \
            max_bytes: 2GB }
            """,
        facts: [DataPlace(field: "directory")],
        plan: { reader in
            let directory = reader.path("directory")
            let retention = retention(reader)
            let (name, label) = (reader.name, reader.metricLabel)
            return { assembly in
                let environment = assembly.optionalResource(StoreEnvironment.self) ?? StoreEnvironment()
                // An order that is not written yet survives a reload that changes the store.
                let pin = assembly.state { (previous: UnwrittenPin?) in
                    previous.flatMap { $0.directory == directory ? $0 : nil } ?? UnwrittenPin(directory: directory)
                }
                let store = JSONFileProductsStore(
                    name: name, directory: directory, retention: retention,
                    movesDamaged: assembly.optionalResource(DryRun.self) == nil, logger: assembly.resource(Logger.self),
                    metricLabel: label, metrics: assembly.optionalResource((any MetricsFactory).self),
                    wallClock: assembly.optionalResource(WallClock.self) ?? .system, unwrittenPin: pin)
                assembly.onShutdown("store \(name)") { await store.close(within: environment.closingTime) }
                return store
            }
        })

    /// The windows of `keep_for`, from the shortest; without one nothing is kept for it.
    private static let windows: [FieldSpec] = [
        .defaulted("all", .duration, "0s", "the age up to which every generation stays"),
        .defaulted("hourly", .duration, "0s", "the age up to which the newest generation of each hour stays"),
        .defaulted("daily", .duration, "0s", "the age up to which the newest generation of each day stays"),
    ]

    private static func retention(_ reader: FieldReader) -> Retention {
        var retention = Retention(
            keep: reader.integer("keep", in: 1...1000), maxBytes: reader.optionalSize("max_bytes", in: 1...))
        guard let windows = reader.optionalObject("keep_for") else { return retention }
        let range = Duration.zero...Duration.seconds(3650 * 86400)
        retention.all = windows.duration("all", in: range)
        retention.hourly = windows.duration("hourly", in: range)
        retention.daily = windows.duration("daily", in: range)
        guard windows.isSound else { return retention }
        let lengths = [("all", retention.all), ("hourly", retention.hourly), ("daily", retention.daily)]
        if lengths.allSatisfy({ $0.1 == .zero }) {
            reader.report(
                .warning, at: "keep_for", "keep_for keeps nothing; write it like { all: 1h, hourly: 48h, daily: 14d }")
        }
        for (index, (name, length)) in lengths.enumerated() where length > .zero {
            guard let (longer, _) = lengths[..<index].first(where: { $0.1 >= length }) else { continue }
            windows.report(.warning, at: name, "\(name) keeps nothing that \(longer) does not keep: it is no longer")
        }
        return retention
    }
}

extension GenerationArchive {
    /// Opens the archive of a store of a checked config; nil for a component that is not a store of generations.
    package init?(_ outline: ComponentOutline) {
        guard outline.family == StoreFamily.noun, outline.type == JSONFileProductsStore.spec.type,
            let directory = outline.settings.text("directory")
        else { return nil }
        self.init(directory: directory, maxBytes: outline.settings.text("max_bytes").flatMap(SizeText.parse))
    }
}
