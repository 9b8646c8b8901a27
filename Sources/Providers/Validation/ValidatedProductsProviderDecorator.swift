package import Concurrency
package import CoreMetrics
internal import FoundationEssentials
package import Health
package import Logging
package import Products

/// Refuses a catalogue that breaks an invariant, or differs too much from the previous one. It is kept in quarantine
/// until another one passes, an operator accepts it, or its hold ends.
///
/// Differences are measured against the baseline; without one a catalogue of any size is accepted. While the baseline
/// cannot be read, catalogues pass with the step `unchecked`. A catalogue that a `memory` below serves for a pin
/// passes, since an operator chose it, and is no baseline. Ids are unique by construction of `Catalogue`.
package struct ValidatedProductsProviderDecorator: QuarantiningProvider, CatalogueJudge {
    private let upstream: any ProductsProvider
    private let gate: CatalogueGate
    private let refusals: RefusalMeter
    private var baseline: CatalogueBaseline { gate.baseline }

    package init(
        name: String = "validated", upstream: any ProductsProvider, rules: CatalogueRules = CatalogueRules(),
        baseline: CatalogueBaseline? = nil, wallClock: WallClock = .system,
        logger: Logger = Logger(label: "validated") { _ in SwiftLogNoOpLogHandler() },
        metrics: (any MetricsFactory)? = nil
    ) {
        self.upstream = upstream
        gate = CatalogueGate(
            name: name, rules: rules,
            baseline: baseline ?? CatalogueBaseline(keepsContent: rules.comparesContent), wallClock: wallClock,
            logger: logger)
        refusals = RefusalMeter(metrics)
    }

    /// Returns the upstream's answer; throws `ProductsFailure.refused` if its catalogue breaks a rule.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        // The answer must not change its own baseline.
        let (old, isKnown) = await baseline.size(for: request)
        let answer = try await upstream.products(for: request)
        return try await judge(answer, replacing: old, isKnown: isKnown, for: request)
    }

    package func judge(_ answer: ProductsAnswer, for request: ProductsRequest) async throws -> ProductsAnswer {
        let (old, isKnown) = await baseline.size(for: request)
        return try await judge(answer, replacing: old, isKnown: isKnown, for: request)
    }

    private func judge(
        _ answer: ProductsAnswer, replacing old: CatalogueBaseline.Size?, isKnown: Bool, for request: ProductsRequest
    ) async throws -> ProductsAnswer {
        if answer.standing == .pinned { return answer.passingLease(ofAnyCatalogue: false) }
        let new = answer.snapshot.catalogue
        var profile = old?.profile
        if old?.revision != new.revision {
            profile = try await offLoop { [gate, refusals] in
                try refusals.counting { try gate.check(new, replacing: old, for: request) }
            }
        }
        guard isKnown else { return answer.adding(TrailStep(node: gate.name, outcome: .unchecked)) }
        let isChecked = old?.revision != new.revision || old?.isChecked == true
        let isTaken = baseline.accept(answer, for: request, isChecked: isChecked, profile: profile)
        let next = isTaken ? new.revision : old?.revision
        return answer.passingLease(ofAnyCatalogue: false, while: baseline.isStill(next, for: request))
    }

    package var quarantined: QuarantinedCatalogue? { baseline.quarantine { $0.shown } }

    package func accept(revision: String) -> Bool { baseline.quarantine { $0.accept(revision) } }

    package func compare(_ catalogue: Catalogue, replacing old: Catalogue) async throws(ProductsFailure) {
        guard !baseline.quarantine({ $0.isExpected(catalogue.revision) }) else { return }
        let rules = gate.rules
        let verdict = await Self.verdict(rules, catalogue, old)
        switch verdict {
        case .passes: break
        case .withheld(let reason, _): throw .refused(reason)
        case .refused(let failure): throw failure
        }
    }

    @concurrent private static func verdict(
        _ rules: CatalogueRules, _ new: Catalogue, _ old: Catalogue
    ) async -> CatalogueRules.Verdict {
        rules.verdict(on: new, replacing: CatalogueBaseline.Size(of: old, isChecked: true, isKept: true))
    }

    package func expect(revision: String?) { baseline.quarantine { $0.expect(revision) } }
}

/// Decides whether a catalogue may replace the previous one, and records refusals.
///
/// A revision is judged once, since a source returns a refused catalogue with every refresh.
private struct CatalogueGate: Sendable {
    let name: String
    let rules: CatalogueRules
    let baseline: CatalogueBaseline
    let wallClock: WallClock
    let logger: Logger

    /// Passes or refuses a catalogue.
    ///
    /// - Throws: `ProductsFailure.refused`, unless an operator accepted the catalogue, or its hold is over.
    /// - Returns: the counts for the next comparison; nil if they are unknown.
    func check(
        _ new: Catalogue, replacing old: CatalogueBaseline.Size?, for request: ProductsRequest
    ) throws(ProductsFailure) -> CatalogueProfile? {
        let key = baseline.key(of: request)
        let (past, withheld, accepted, isExpected) = baseline.quarantine {
            ($0.refusal(for: key), $0.withheld(for: key), $0.accepted(for: key), $0.isExpected(new.revision))
        }
        if isExpected || accepted?.revision == new.revision {
            log(.notice, "an accepted catalogue goes through", new, old)
            return nil
        }
        var first = past.flatMap { $0.revision == new.revision ? $0 : nil }
        if let first, first.baseline == old?.revision, first.rules == rules, !isReleased(first) {
            baseline.quarantine { $0.refuseAgain(new, replacing: old?.content, first, for: key) }
            throw first.failure
        }
        let verdict = rules.verdict(on: new, replacing: old)
        if case .passes(let profile) = verdict { return profile }
        if case .withheld(_, let profile) = verdict {
            // The time of a hold begins with the hold, not with an earlier refusal.
            if first?.withheldUntil == nil { first = nil }
            if let withheld, first == nil, goesOn(new, from: withheld.catalogue) { first = withheld.refusal }
            if let first, isReleased(first) {
                log(.notice, "a held catalogue goes through", new, old)
                return profile
            }
        }
        // The upstream may have moved on before it returned the accepted catalogue again.
        if let accepted = accepted?.catalogue.map({ CatalogueBaseline.Size(of: $0, isChecked: true, isKept: true) }),
            case .passes(let profile) = rules.verdict(on: new, replacing: accepted)
        {
            log(.notice, "a successor of an accepted catalogue goes through", new, old)
            return profile
        }
        throw refuse(new, replacing: old, verdict, since: first, key)
    }

    private func isReleased(_ refusal: Quarantine.Refusal) -> Bool {
        refusal.isReleased(after: rules.hold, at: baseline.uptime.now)
    }

    /// Whether the hold of a catalogue continues with another one, which stays within the bounds compared with the
    /// withheld one. Otherwise the hold would never end for an upstream that changes all the time.
    private func goesOn(_ new: Catalogue, from withheld: Catalogue) -> Bool {
        let size = CatalogueBaseline.Size(of: withheld, isChecked: true, isKept: true)
        if case .passes = rules.verdict(on: new, replacing: size) { return true }
        return false
    }

    /// Keeps a catalogue in quarantine, and logs that unless it was there.
    ///
    /// - Parameter first: the decision with which the hold began.
    private func refuse(
        _ new: Catalogue, replacing old: CatalogueBaseline.Size?, _ verdict: CatalogueRules.Verdict,
        since first: Quarantine.Refusal?, _ key: VariantKey.Key
    ) -> ProductsFailure {
        let since = first?.since ?? wallClock.now()
        let failure =
            switch verdict {
            case .passes: preconditionFailure("a catalogue that passes is not refused")
            case .withheld(let reason, _):
                ProductsFailure.refused(.withheld(reason, until: since.advanced(by: rules.hold)))
            case .refused(let failure): failure
            }
        let refusal = Quarantine.Refusal(
            revision: new.revision, baseline: old?.revision, rules: rules, failure: failure, since: since,
            firstSeen: first?.firstSeen ?? baseline.uptime.now)
        let isNew = baseline.quarantine {
            $0.refuse(new, replacing: old?.content, refusal, for: key)
        }
        let isSameHold = first?.withheldUntil != nil && refusal.withheldUntil != nil
        if isNew, !isSameHold {
            let message: Logger.Message = refusal.withheldUntil == nil ? "catalogue refused" : "catalogue held"
            log(.warning, message, new, old, failure)
        }
        return failure
    }

    private func log(
        _ level: Logger.Level, _ message: Logger.Message, _ new: Catalogue, _ old: CatalogueBaseline.Size?,
        _ failure: ProductsFailure? = nil
    ) {
        var metadata: Logger.Metadata = [
            "provider": "\(name)", "revision": "\(new.revision)", "products": "\(new.count)",
        ]
        if let old { metadata["baseline"] = "\(old.revision)" }
        if let failure {
            metadata["reason"] = "\(failure.token)"
            metadata["error"] = "\(failure)"
        }
        logger.log(level: level, message, metadata: metadata)
    }
}

extension ValidatedProductsProviderDecorator: TroubleReporting {
    /// The quarantined catalogue.
    package var troubles: [Trouble] {
        quarantined.map { [Trouble(.quarantine, cause: "\($0.failure)", since: $0.since)] } ?? []
    }
}
