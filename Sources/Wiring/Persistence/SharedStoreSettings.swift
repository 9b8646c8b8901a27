internal import Configuration
internal import Fleet

/// The settings that all stores shared by replicas have, whatever keeps the catalogue.
struct SharedStoreSettings: Sendable {
    static let fields: [FieldSpec] = [
        .required("name", .string, "the catalogue's name; several catalogues may share a server"),
        .defaulted("keep", .integer, "5", "how many generations stay, the newest included"),
        .defaulted("max_bytes", .size, "64MiB", "a larger catalogue, compressed, is neither written nor read"),
        .defaulted(
            "when_unavailable", .choice(FleetMember.Settings.Unavailability.self), "refresh_alone",
            "what a replica does while the server is away: ask the upstream itself, or go on with what it has"),
        .defaulted(
            "lease", .duration, "30s",
            "how long a turn outlasts the last sign of life of the replica that refreshes; it may refresh for ten times this"
        ),
        .defaulted("poll", .duration, "10s", "how often a replica looks for what it was not told of"),
        .optional(
            "refill_from", .component(StoreFamily.self),
            "this replica's own store: from it the server gets the catalogue back that it has lost"),
    ]

    /// The part of the member; its name and seed are set by ``member(named:)``.
    let member: FleetMember.Settings
    /// The number of generations that stay.
    let keep: Int
    /// The name of the catalogue.
    let catalogue: String
    let refill: ComponentPlan<StoreFamily>?

    init(_ reader: FieldReader) {
        var member = FleetMember.Settings(name: "", seed: 0)
        member.maxBytes = reader.size("max_bytes", in: 1024...1 << 30)
        member.whenUnavailable = reader.choice("when_unavailable")
        member.turnLength = reader.duration("lease", in: Duration.seconds(5)...Duration.seconds(600))
        member.poll = reader.duration("poll", in: Duration.seconds(1)...Duration.seconds(300))
        self.member = member
        keep = reader.integer("keep", in: 1...1000)
        catalogue = Self.catalogue(reader)
        refill = reader.optionalComponent("refill_from", StoreFamily.self)
        if let refill, refill.outline.isSharedStore {
            reader.report(
                .error, at: "refill_from",
                "\"refill_from\": a shared store cannot refill another; name a store on this machine's disk")
        }
    }

    /// Returns the settings of one process in the fleet.
    func member(named name: String) -> FleetMember.Settings {
        var settings = member
        (settings.name, settings.seed) = (name, UInt64.random(in: 0...UInt64.max))
        return settings
    }

    private static func catalogue(_ reader: FieldReader) -> String {
        let name = reader.string("name")
        if !StorageKeys.isUsable(name: name) {
            reader.report(
                .error, at: "name",
                "\"name\": \(reader.node("name")?.found ?? "this") is no name; write 1 to 64 letters, digits, -, _ and ."
            )
        }
        return name
    }
}
