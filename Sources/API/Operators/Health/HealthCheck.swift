internal import FoundationEssentials
internal import JSON
internal import Products

/// One of the things that a probe looks at, as it was found.
struct HealthCheck: Sendable {
    /// A side of it that has a state of its own, and perhaps a number.
    struct Aspect: Sendable {
        /// The check's name, and what was looked at: `catalogue:age`.
        let name: String
        let status: HealthStatus
        var value: JSONValue?
        var unit: String?
        /// The failure in words; nil while there is none.
        var output: String?
    }

    /// By what a probe can leave it out.
    let name: String
    /// Details for a check that passes.
    var facts: String?
    /// The failure in words; nil while there is none.
    var failure: String?
    /// The failure as the whole answer of a probe that asks for no more.
    var complaint: String?
    let aspects: [Aspect]
    /// Whether it was left out, and so passes.
    var isExcluded = false

    /// The worst that there is to say of it.
    var status: HealthStatus {
        if isExcluded { return .pass }
        return failure == nil ? aspects.map(\.status).max() ?? .pass : .fail
    }
}

extension HealthCheck {
    /// Whether there is a catalogue to serve.
    ///
    /// - Parameter failing: the providers whose refreshes fail.
    static func catalogue(
        _ catalogue: ReadinessTracker.Catalogue, failing: [FailingUpstream] = [], at time: Date
    ) -> HealthCheck {
        let troubles = failing.isEmpty ? nil : failing.texts(at: time).joined(separator: ", ")
        return switch catalogue {
        case .success(let answer): self.catalogue(answer, troubles, at: time)
        case .failure(let emptiness): missingCatalogue(emptiness.reason, troubles)
        }
    }

    /// Whether the service goes on.
    static func drain(isDraining: Bool) -> HealthCheck {
        let failure = isDraining ? "the service is stopping" : nil
        return HealthCheck(
            name: "drain", failure: failure, complaint: isDraining ? "draining" : nil,
            aspects: [Aspect(name: "drain", status: isDraining ? .fail : .pass, output: failure)])
    }

    private static func missingCatalogue(_ reason: String, _ troubles: String?) -> HealthCheck {
        let upstream = troubles.map { [Aspect(name: "upstream", status: .warn, output: $0)] } ?? []
        return HealthCheck(
            name: "catalogue", failure: [reason, troubles].compactMap { $0 }.joined(separator: "; "),
            complaint: "no catalogue to serve: \(reason)",
            aspects: [Aspect(name: "catalogue", status: .fail, output: reason)] + upstream)
    }

    /// Age is no trouble as long as nobody has asked: a request would have started a refresh.
    private static func catalogue(_ answer: ProductsAnswer, _ troubles: String?, at time: Date) -> HealthCheck {
        let (snapshot, freshness) = (answer.snapshot, answer.freshness)
        let age = snapshot.age(at: time)
        let isStale = freshness.map { time > $0.freshUntil && !$0.isIdle(at: time) } ?? false
        let offline = troubles ?? (freshness?.isOffline == true ? "upstream offline" : nil)
        let facts = [
            "\(snapshot.products.count) products", "\(age.components.seconds) s old",
            "from \(snapshot.origin.rawValue)", offline,
        ]
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
            name: "catalogue", facts: facts.compactMap { $0 }.joined(separator: ", "), aspects: aspects)
    }
}

/// How something is, from good to bad. The raw values are those of `application/health+json`.
enum HealthStatus: String, Sendable, CaseIterable, Comparable {
    case pass
    /// It works, and somebody may want to know that it could be better.
    case warn
    case fail

    static func < (left: HealthStatus, right: HealthStatus) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .pass: 0
        case .warn: 1
        case .fail: 2
        }
    }
}
