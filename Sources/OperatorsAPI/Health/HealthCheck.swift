internal import Fleet
internal import FoundationEssentials
internal import Health
internal import JSON
internal import Products
internal import Providers
internal import Serving

/// The result of one check of a probe.
struct HealthCheck: Sendable {
    /// A part of the check with its own status, and possibly a value.
    struct Aspect: Sendable {
        /// The names of the check and the aspect: `catalogue:age`.
        let name: String
        let status: HealthStatus
        var value: JSONValue?
        var unit: String?
        /// The problem in words; nil without one.
        var output: String?
    }

    /// The name by which a probe can exclude the check.
    let name: String
    /// A description for the verbose form while the check passes.
    var facts: String?
    /// The reason for the failure; nil while the check passes.
    var failure: String?
    /// The failure as the full text of a probe that is not verbose.
    var complaint: String?
    let aspects: [Aspect]
    /// Numbers and words of a closed list that clients may see in addition to the status.
    var plain: String?
    /// When the problem began.
    var since: Date?
    /// Whether the check was excluded, and so passes.
    var isExcluded = false

    /// The worst status of an aspect.
    var status: HealthStatus {
        if isExcluded { return .pass }
        return failure == nil ? aspects.map(\.status).max() ?? .pass : .fail
    }
}

extension HealthCheck {
    /// The check for the clients' port, which is public: state, age and beginning, without names of parts, addresses,
    /// errors, orders and operators.
    var forClients: HealthCheck {
        let beginning = since.map { "since \($0.formatted(.iso8601))" }
        let words = [plain, beginning].compactMap(\.self)
        let text = words.isEmpty ? nil : words.joined(separator: ", ")
        return HealthCheck(
            name: name, facts: failure == nil ? text : nil, failure: failure.map { _ in text ?? "failed" },
            complaint: complaint, aspects: aspects.map { $0.forClients(beginning) }, plain: plain, since: since,
            isExcluded: isExcluded)
    }

    /// Whether there is a catalogue to serve.
    ///
    /// - Parameters:
    ///   - failing: the providers whose refreshes fail.
    ///   - troubles: all known troubles. Those of upstreams count here.
    static func catalogue(
        _ catalogue: ReadinessTracker.Catalogue, failing: [FailingUpstream] = [], troubles: [Trouble] = [],
        at time: Date
    ) -> HealthCheck {
        let others = troubles.filter { $0.kind.isOfUpstream && (failing.isEmpty || $0.kind != .upstream) }
        let texts = failing.texts(at: time) + others.map { $0.text(at: time) }
        let since = (failing.map(\.trouble.since) + others.map(\.since)).min()
        let isSourceStale = others.contains { $0.kind == .source }
        let isOffline = !failing.isEmpty || others.contains { $0.kind != .source }
        let words = (isOffline ? [Self.offline] : []) + (isSourceStale ? ["source stale"] : [])
        let troubles = texts.isEmpty ? nil : texts.joined(separator: ", ")
        return switch catalogue {
        case .success(let answer): self.catalogue(answer, troubles, plain: words, since: since, at: time)
        case .failure(let emptiness): missingCatalogue(emptiness.reason, troubles, since: since)
        }
    }

    /// Whether the service is stopping.
    static func drain(isDraining: Bool) -> HealthCheck {
        let failure = isDraining ? "the service is stopping" : nil
        return HealthCheck(
            name: "drain", failure: failure, complaint: isDraining ? "draining" : nil,
            aspects: [Aspect(name: "drain", status: isDraining ? .fail : .pass, output: failure)], plain: failure)
    }

    /// The pins and the quarantine of the graph: one check for each kind present, which passes with a warning.
    static func operators(_ state: ControlState) -> [HealthCheck] {
        func check(_ name: String, _ notes: [String], since: [Date]) -> HealthCheck? {
            guard !notes.isEmpty else { return nil }
            let output = notes.map(FailingUpstream.inOneLine).joined(separator: "; ")
            return HealthCheck(
                name: name, facts: output, aspects: [Aspect(name: name, status: .warn, output: output)],
                since: since.min())
        }
        let pins = check("pin", state.pins.map { "\($0.store): \($0.text)" }, since: state.pins.map(\.pin.order.at))
        let refused = check(
            "quarantine", state.quarantined.map { "\($0.node): \($0.catalogue.text)" },
            since: state.quarantined.map(\.catalogue.since))
        return [pins, refused].compactMap(\.self)
    }

    /// The troubles that no other check shows: one check for each kind, which passes with a warning.
    ///
    /// - Parameter covered: the kinds that other checks show.
    static func troubles(_ troubles: [Trouble], but covered: Set<Trouble.Kind>, at time: Date) -> [HealthCheck] {
        let rest = troubles.filter { !$0.kind.isOfUpstream && !covered.contains($0.kind) }
        return Dictionary(grouping: rest, by: \.kind).sorted { $0.key.rawValue < $1.key.rawValue }.map {
            kind, troubles in
            HealthCheck(
                name: kind.rawValue, facts: troubles.map { $0.text(at: time) }.joined(separator: "; "),
                aspects: troubles.map { trouble in
                    let name = trouble.part.isEmpty ? kind.rawValue : "\(kind.rawValue):\(trouble.part)"
                    return Aspect(name: name, status: .warn, output: trouble.text(at: time))
                }, since: troubles.map(\.since).min())
        }
    }

    /// The shared stores. Readiness does not depend on them: the check passes, with a warning while one is away or
    /// behind.
    static func sharedStores(_ stores: [SharedStoreReport], at time: Date) -> [HealthCheck] {
        guard !stores.isEmpty else { return [] }
        let texts = stores.map { $0.text(at: time) }
        let aspects = zip(stores, texts).map { store, text in
            Aspect(
                name: "fleet:\(store.label)", status: store.isTroubled ? .warn : .pass,
                output: store.isTroubled ? text : nil)
        }
        let isConnected = stores.allSatisfy(\.fleet.isConnected)
        return [
            HealthCheck(
                name: "fleet", facts: texts.joined(separator: "; "), aspects: aspects,
                plain: isConnected ? "connected" : "not connected",
                since: stores.flatMap(\.fleet.troubles).map(\.since).min())
        ]
    }

    private static func missingCatalogue(_ reason: String, _ troubles: String?, since: Date?) -> HealthCheck {
        let upstream = troubles.map { [Aspect(name: "upstream", status: .warn, output: $0)] } ?? []
        return HealthCheck(
            name: "catalogue", failure: [reason, troubles].compactMap { $0 }.joined(separator: "; "),
            complaint: "no catalogue to serve: \(reason)",
            aspects: [Aspect(name: "catalogue", status: .fail, output: reason)] + upstream, plain: reason, since: since)
    }

    private static let offline = "upstream offline"

    /// An old catalogue does not count as stale until a request has come, which would have started a refresh.
    ///
    /// - Parameter words: the troubles, for clients.
    private static func catalogue(
        _ answer: ProductsAnswer, _ troubles: String?, plain words: [String], since: Date?, at time: Date
    ) -> HealthCheck {
        let (snapshot, freshness) = (answer.snapshot, answer.freshness)
        let age = snapshot.age(at: time)
        let isStale = freshness?.isOverdue(at: time) ?? false
        let isOffline = freshness?.state(at: time) == .offline
        let offline = troubles ?? (isOffline ? Self.offline : nil)
        let facts = [
            "\(snapshot.products.count) products", "\(age.components.seconds) s old",
            "from \(snapshot.origin.rawValue)",
        ]
        let plain = facts + (isOffline && !words.contains(Self.offline) ? [Self.offline] : []) + words
        var aspects = [
            Aspect(
                name: "catalogue:age", status: isStale ? .warn : .pass, value: .seconds(age), unit: "s",
                output: isStale ? "stale" : nil),
            Aspect(name: "catalogue:products", status: .pass, value: .count(snapshot.products.count)),
        ]
        if freshness != nil || offline != nil {
            aspects.append(Aspect(name: "upstream", status: offline == nil ? .pass : .warn, output: offline))
        }
        return HealthCheck(
            name: "catalogue", facts: (facts + [offline].compactMap(\.self)).joined(separator: ", "), aspects: aspects,
            plain: plain.joined(separator: ", "), since: since)
    }
}

extension HealthCheck.Aspect {
    /// The aspect without the label of a part, and with the beginning instead of its output.
    fileprivate func forClients(_ beginning: String?) -> HealthCheck.Aspect {
        let isOfCatalogue = name.hasPrefix("catalogue:")
        let output = output.map { _ in beginning ?? (isOfCatalogue && status == .warn ? "stale" : "\(status)") }
        return HealthCheck.Aspect(
            name: isOfCatalogue ? name : String(name.prefix { $0 != ":" }), status: status, value: value, unit: unit,
            output: output)
    }
}

/// The status of a check, from good to bad, by its name in `application/health+json`.
enum HealthStatus: Sendable, CaseIterable, Comparable {
    case pass
    /// The check passes with a warning for operators.
    case warn
    case fail
}
