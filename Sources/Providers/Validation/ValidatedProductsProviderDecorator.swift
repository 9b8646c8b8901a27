package import Concurrency
package import CoreMetrics
internal import FoundationEssentials
package import Logging
package import Products

/// Refuses a catalogue that breaks an invariant, or differs too much from the one before, so that no provider above ever
/// sees it. It is kept in quarantine until another passes, an operator accepts it, or the time of its hold is over.
///
/// Differences are measured against the baseline; without one a catalogue of any size is accepted. While it cannot be read,
/// catalogues pass unchecked by it, and the trail says so. A pinned catalogue passes unchecked, since an operator vouches
/// for it, and is no baseline. Ids are unique by construction of `Catalogue`.
package struct ValidatedProductsProviderDecorator: QuarantiningProvider {
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
        let (old, isKnown) = await baseline.size(for: request)
        let answer = try await upstream.products(for: request)
        if answer.isPinned { return answer.passingLease(ofAnyCatalogue: false) }
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
}
