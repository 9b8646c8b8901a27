package import FoundationEssentials
package import Tracing

/// A provider that keeps an answer, and replaces it when an operator says so.
package protocol RefreshableProvider: ProductsProvider {
    /// Asks the upstream now, for each variant of the requests that is known, and returns when all are done.
    /// - Parameter cause: the client's request for which it is made; nil for none.
    func refresh(_ order: RefreshOrder, for cause: (any RequestIdentitySource)?) async -> [RefreshResult]
    /// Serves what the stores below it offer, and returns when that is done. It asks its upstream only if a store has a newer
    /// catalogue, its own is damaged, or a memory below has changed.
    /// - Parameter isChangedBelow: whether a memory below it serves another catalogue than before.
    func follow(isChangedBelow: Bool) async -> [RefreshResult]
}

/// The outcome of a refresh out of turn, for one variant of the requests.
package struct RefreshResult: Sendable {
    package enum Outcome: String, Sendable, CaseIterable {
        case fetched, unchanged, failed
    }

    package let outcome: Outcome
    /// The failure; nil unless failed.
    package let failure: ProductsFailure?
    /// The catalogue before; nil without any.
    package let before: Catalogue?
    /// The catalogue that is kept now; nil without any.
    package let after: Catalogue?
    package let isPinned: Bool

    package init(
        _ outcome: Outcome, failure: ProductsFailure? = nil, before: Catalogue?, after: Catalogue?,
        isPinned: Bool = false
    ) {
        (self.outcome, self.failure, self.isPinned) = (outcome, failure, isPinned)
        (self.before, self.after) = (before, after)
    }
}

/// A provider that keeps the last catalogue it refused, until an operator lets it through.
package protocol QuarantiningProvider: ProductsProvider {
    /// The refused catalogue; nil when the last one passed.
    var quarantined: QuarantinedCatalogue? { get }
    /// Lets the catalogue with this revision through once, when the upstream next gives it.
    /// - Returns: whether it is the quarantined one.
    func accept(revision: String) -> Bool
}

/// A provider that decides about catalogues which another way than its upstream brought, such as those of a fleet.
package protocol CatalogueJudge: ProductsProvider {
    /// Decides about an answer as if the upstream had given it to this request.
    /// - Returns: the answer as the provider would have passed it on.
    /// - Throws: `ProductsFailure.refused` where it may not be given.
    func judge(_ answer: ProductsAnswer, for request: ProductsRequest) async throws -> ProductsAnswer
    /// Decides whether a catalogue may take the place of another one, whatever it gave before, and remembers nothing.
    /// - Throws: `ProductsFailure.refused` where it may not.
    func compare(_ catalogue: Catalogue, replacing old: Catalogue) async throws(ProductsFailure)
    /// Lets the catalogue with this revision through once, also where it is not known yet. A later call replaces it; nil
    /// ends it.
    func expect(revision: String?)
}

/// A catalogue that a provider refused.
package struct QuarantinedCatalogue: Sendable {
    package let catalogue: Catalogue
    /// The catalogue that it would replace; nil without one.
    package let baseline: Catalogue?
    package let failure: ProductsFailure
    package let since: Date
    /// When it goes through by itself; nil where it waits for an operator without end.
    package let withheldUntil: Date?

    package init(
        _ catalogue: Catalogue, replacing baseline: Catalogue?, failure: ProductsFailure, since: Date,
        withheldUntil: Date?
    ) {
        (self.catalogue, self.baseline, self.failure) = (catalogue, baseline, failure)
        (self.since, self.withheldUntil) = (since, withheldUntil)
    }
}
