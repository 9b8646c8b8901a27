internal import Concurrency
package import Configuration
internal import CoreMetrics
internal import Logging
internal import Persistence
internal import Products
package import Providers

extension OverlayProductsProviderStrategy {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "overlay",
        summary: "lays members of products from a second, quicker source over a catalogue, by id or another key",
        fields: [
            .required(
                "upstream", .component(ProviderFamily.self), "the provider of the catalogue; its failure is the answer"),
            .required(
                "overlay", .component(ProviderFamily.self),
                "the provider of the entries, each a product of which only id and members count; without a memory"),
            .required(
                "members", .list(.string),
                "the names of the members that are laid, each as a whole; a price in XXX, for no currency, is none"),
            .defaulted(
                "key", .string, "id",
                "the member, a string or number, by which a product finds its entry; several products may share a value"
            ),
            .optional(
                "entry_key", .string,
                "the same member of an entry; key when absent. Entries that share a value are left out, and counted in the log"
            ),
            .defaulted(
                "ttl", .duration, "5s", "the age up to which entries are fresh; half of it is left to a refresh"),
            .defaulted(
                "when_stale", .choice(OverlayStaleness.self), "serve",
                "what happens to members of older entries: they are served, also listed in staleMembers, or hidden; of "
                    + "those that a kind requires the catalogue's own are served then"),
            .defaulted(
                "max_wait", .duration, "1s",
                "how long a request waits for entries where none are fresh and the source is not known to fail"),
            .defaulted("hold_off", .duration, "1s", "the pause after a failure; doubles up to 30s"),
            .defaulted(
                "refresh", .choice(MemoryProductsProviderDecorator.RefreshMode.self), "on_demand",
                "whether a request or half of ttl starts a refresh"),
            .optional(
                "store", .component(StoreFamily.self),
                "keeps the entries over a restart, as stale ones until their source answers; used for nothing else"),
        ],
        example: """
            { type: overlay, members: [price, stock], ttl: 5s, when_stale: mark, \
            store: { type: json_file, directory: /var/lib/larder/stock }, \
            upstream: { type: http, request: { base_url: "http://shop.example" } }, \
            overlay: { type: http, request: { base_url: "http://stock.example" }, \
            decode: { type: physical, constants: { name: "" } } } }
            """,
        facts: [
            ProviderTraits(pins: .stops) { settings, below in
                (below.max() ?? .zero) + (settings.duration("max_wait") ?? .zero)
            }
        ],
        plan: { reader in
            let upstream = reader.component("upstream", ProviderFamily.self)
            let overlay = reader.component("overlay", ProviderFamily.self)
            let members = reader.overlayMembers("members")
            reader.state(LaidMembers(names: members))
            let key = reader.overlayKey()
            let ttl = reader.duration("ttl", in: .milliseconds(1)...)
            var policy = FreshnessPolicy(
                overlayTTL: ttl, holdOff: reader.duration("hold_off"), maxWait: reader.duration("max_wait"))
            let mode = reader.choice("refresh", MemoryProductsProviderDecorator.RefreshMode.self)
            policy.refreshesInBackground = mode == .background
            if mode == .background, reader.isSound, policy.holdOff == .zero {
                reader.report(.error, at: "refresh", "a background refresh needs a hold_off above 0")
            }
            let store = reader.optionalComponent("store", StoreFamily.self)
            if let store { checkStore(store.outline, of: overlay.outline, reader) }
            let whenStale = reader.choice("when_stale", OverlayStaleness.self)
            let (name, label) = (reader.name, reader.metricLabel)
            let (own, all) = (overlay.outline.variations, upstream.outline.variations + overlay.outline.variations)
            return { [policy] assembly in
                let (clock, wallClock) = (ContinuousClock(), assembly.resource(WallClock.self))
                let logger = assembly.resource(Logger.self)
                let variants = assembly.state { previous in
                    MemoryVariants(
                        division: VariantKey(own), policy: policy, node: name, uptime: Uptime(of: clock),
                        signal: assembly.catalogueSignal, following: previous, isElsewhere: !assembly.isBuiltOnTheSame)
                }
                let store = try store?.instantiate(in: assembly)
                let source = try overlay.instantiate(in: assembly)
                let memory = MemoryProductsProviderDecorator(
                    upstream: store.map { source.keepingEntries(in: $0, by: BackgroundSaver($0)) } ?? source,
                    variants: variants, wallClock: wallClock, clock: clock, logger: logger,
                    meter: RefreshMeter(
                        provider: label, factory: assembly.optionalResource((any MetricsFactory).self)),
                    traces: assembly.optionalResource(GraphObservation.self)?.refreshes ?? RefreshTraces())
                if mode == .background {
                    assembly.background("refresh of \(name)") { try await memory.refreshInBackground() }
                }
                return OverlayProductsProviderStrategy(
                    name: name, upstream: try upstream.instantiate(in: assembly), overlay: memory, store: store,
                    members: members, key: key, whenStale: whenStale, variations: all, wallClock: wallClock,
                    signal: assembly.catalogueSignal, logger: logger)
            }
        })

    /// Reports an error if the store cannot keep the entries: it has one catalogue for all requests, of this process.
    private static func checkStore(_ store: ComponentOutline, of source: ComponentOutline, _ reader: FieldReader) {
        if store.isSharedStore {
            reader.report(.error, at: "store", "entries are kept on this machine's disk; name a store of \"json_file\"")
        }
        guard let header = source.variations.first?.header else { return }
        reader.report(
            .error, at: "store",
            "entries vary by the header \"\(header)\", and one store cannot keep them apart; remove \"store\"")
    }
}

/// The members that an overlay lays over the products of its `upstream`, stated by its spec.
struct LaidMembers: Sendable {
    let names: [String]
}

extension FieldReader {
    /// Reads the names of members that are laid over products.
    fileprivate func overlayMembers(_ field: String) -> [String] {
        let members = strings(field)
        if members.isEmpty, has(field) { report(.error, at: field, "\"\(field)\": expected one member at least") }
        for member in members {
            if MemberOverlay.reserved.contains(member) {
                report(.error, at: field, "\"\(field)\": \"\(member)\" cannot come from another source")
            } else if member.contains(".") {
                report(.error, at: field, "\"\(field)\": \"\(member)\" is within a member; name the whole member")
            }
        }
        return members
    }

    /// Reads the members by which products and entries are joined.
    fileprivate func overlayKey() -> MemberOverlay.Key {
        let product = keyMember("key", string("key"))
        return MemberOverlay.Key(
            product: product, entry: optionalString("entry_key").map { keyMember("entry_key", $0) } ?? product)
    }

    /// Checks the name of a member that identifies products, and returns it.
    func keyMember(_ field: String, _ member: String) -> String {
        if member.contains(".") {
            report(.error, at: field, "\"\(field)\": \"\(member)\" is within a member; name one of the product itself")
        } else if member == ProductMember.price || member != ProductMember.id && MemberOverlay.reserved.contains(member)
        {
            report(.error, at: field, "\"\(field)\": \"\(member)\" does not identify products")
        }
        return member
    }
}
