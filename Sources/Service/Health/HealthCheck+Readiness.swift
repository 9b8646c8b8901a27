internal import FoundationEssentials
internal import JSON
internal import Products

extension HealthCheck {
    /// Whether there is a catalogue to serve.
    static func catalogue(_ catalogue: ReadinessTracker.Catalogue, at time: Date) -> HealthCheck {
        switch catalogue {
        case .success(let answer): self.catalogue(answer, at: time)
        case .failure(let emptiness): missingCatalogue(emptiness.reason)
        }
    }

    /// Whether the service goes on.
    static func drain(isDraining: Bool) -> HealthCheck {
        let failure = isDraining ? "the service is stopping" : nil
        return HealthCheck(
            name: "drain", failure: failure, complaint: isDraining ? "draining" : nil,
            aspects: [Aspect(name: "drain", status: isDraining ? .fail : .pass, output: failure)])
    }

    private static func missingCatalogue(_ reason: String) -> HealthCheck {
        HealthCheck(
            name: "catalogue", failure: reason, complaint: "no catalogue to serve: \(reason)",
            aspects: [Aspect(name: "catalogue", status: .fail, output: reason)])
    }

    private static func catalogue(_ answer: ProductsAnswer, at time: Date) -> HealthCheck {
        let (snapshot, freshness) = (answer.snapshot, answer.freshness)
        let age = snapshot.age(at: time)
        let isStale = freshness.map { time > $0.freshUntil } ?? false
        let offline = freshness?.isOffline == true ? "upstream offline" : nil
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
        if freshness != nil {
            aspects.append(Aspect(name: "upstream", status: offline == nil ? .pass : .warn, output: offline))
        }
        return HealthCheck(
            name: "catalogue", facts: facts.compactMap { $0 }.joined(separator: ", "), aspects: aspects)
    }
}
