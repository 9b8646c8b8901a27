internal import Configuration
internal import Text
internal import Wiring

/// Warns of a memory with a long `stale_if_error` if no served catalogue survives a restart.
struct UnkeptMemoryLint: Lint {
    /// A promise short enough to need no store.
    private static let bearable: Duration = .seconds(3600)

    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        guard !graph.contains(where: Self.isKept) else { return [] }
        return graph.providers("memory").compactMap { memory in
            guard let promise = memory.settings.duration("stale_if_error"), promise > Self.bearable,
                !memory.providers.isEmpty
            else { return nil }
            return Diagnostic(
                .warning, at: memory.settings.position(of: "stale_if_error"),
                "stale_if_error is \(DurationText.format(promise)), but nothing that is served outlives a restart; save it "
                    + "by \"caching\" and serve it by \"stored\", or make it 1h at most")
        }
    }

    /// Whether a component still has a catalogue after a restart. A `caching` only writes its store; an unreadable
    /// component may be one that reads.
    private static func isKept(_ outline: ComponentOutline) -> Bool {
        outline.outlivesRestarts || outline.isUnreadable
    }
}

/// Reports entries of an `overlay` that a restart loses, and ones in a store that has other catalogues as well.
struct OverlayStoreLint: Lint {
    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        graph.providers("overlay").compactMap { overlay in
            guard let store = overlay.store else { return loss(of: overlay) }
            let others = graph.filter { $0.id != overlay.id && $0.store?.place == store.place }
            guard let other = others.min(by: { $0.position < $1.position }) else { return nil }
            return Diagnostic(
                .error, at: overlay.settings.position(of: "store"),
                "\(other.called) uses this store, which would mix its catalogue with the entries; give them a store of "
                    + "their own")
        }
    }

    private func loss(of overlay: ComponentOutline) -> Diagnostic? {
        guard let source = overlay.providers.first(where: { $0.role == "overlay" })?.outline, !overlay.isUnreadable,
            !source.all.contains(where: { $0.outlivesRestarts || $0.isUnreadable })
        else { return nil }
        return Diagnostic(
            .warning, at: overlay.position,
            "after a restart without the source of the entries, the catalogue's own members are served and not marked, "
                + "although they may be older; name a \"store\" for the entries")
    }
}

/// Warns of a catalogue that is saved after a start without being compared with the stored one.
struct UncomparedSaveLint: Lint {
    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        graph.providers("caching").flatMap { caching in
            // These providers pass on a catalogue other than their upstream's, or keep the previous one.
            caching.providersBelow(stoppingAt: ["memory", "merge", "overlay", "caching"]).filter(Self.lacksBaseline)
                .map { validated in
                    Diagnostic(
                        .warning, at: validated.position,
                        "after a start \(caching.called) saves from here a catalogue of any size; name its store as "
                            + "\"baseline\", to refuse one that shrank")
                }
        }
    }

    private static func lacksBaseline(_ outline: ComponentOutline) -> Bool {
        let settings = outline.settings
        let bounds = settings.fields.filter { $0.name.hasPrefix("max_") || $0.name.hasPrefix("warn_max_") }
        let compares = bounds.contains { bound in
            bound.name == "max_shrink"
                ? settings.text(bound.name).flatMap(Double.init) ?? 1 < 1 : settings.given(bound.name) != nil
        }
        return outline.isProvider("validated") && settings.given("baseline") == nil
            && (compares || settings.text("profile") == "strict")
    }
}

/// Warns of a baseline in a store of catalogues other than those compared with it.
struct ForeignBaselineLint: Lint {
    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        let savers = graph.providers("caching")
        return graph.providers("validated").compactMap { validated in
            guard let baseline = validated.store?.place else { return nil }
            // A merge or overlay passes on a catalogue other than the one it gets.
            let above = savers.filter { saver in
                saver.providersBelow(stoppingAt: ["merge", "overlay"]).contains { $0.id == validated.id }
            }
            // An unreadable store may be any; one without a saver here may be another service's.
            if above.contains(where: { $0.store.map { $0.place == baseline } ?? true }) { return nil }
            guard !above.isEmpty || savers.contains(where: { $0.store?.place == baseline }) else { return nil }
            let remedy = above.first.map { "name the store of \($0.called)" } ?? "give it a store of its own, or none"
            return Diagnostic(
                .warning, at: validated.settings.position(of: "baseline"),
                "after a start \(validated.called) compares with a store into which no \"caching\" above it saves; "
                    + remedy)
        }
    }
}

/// Warns of a pagination without a page count: it takes a truncated page for the last one.
struct UncountedPagesLint: Lint {
    func problems(in graph: [ComponentOutline]) -> [Diagnostic] {
        graph.filter { $0.family == "pagination" }.compactMap { pagination in
            let counts =
                switch pagination.type {
                case "page": ["pages", "total"]
                case "offset", "since": ["total"]
                default: [] as [String]
                }
            guard let first = counts.first, counts.allSatisfy({ pagination.settings.given($0) == nil }) else {
                return nil
            }
            let lost = "the rest of the catalogue is lost"
            if pagination.type == "since" {
                return Diagnostic(
                    .warning, at: pagination.position,
                    "with no \"total\", a page on which nothing is new counts as the last, and \(lost)")
            }
            let words = counts.count > 1 ? "neither \"pages\" nor \"total\"" : "no \"\(first)\""
            return Diagnostic(
                .warning, at: pagination.position,
                "with \(words), a page that is too short counts as the last, and the rest of the catalogue is lost")
        }
    }
}
