package import FoundationEssentials
package import Tracing

/// A provider that keeps an answer, and refreshes it on an operator's order.
package protocol RefreshableProvider: ProductsProvider {
    /// Asks the upstream now, for each known variant of the requests, and returns when all are done.
    /// - Parameter cause: the client's request for which it is made; nil for none.
    func refresh(_ order: RefreshOrder, for cause: (any RequestIdentitySource)?) async -> [RefreshResult]
    /// Takes over the catalogues that the stores below offer, and returns when that is done. It asks its upstream only
    /// if a store has a newer catalogue, its own is damaged, or a memory below has changed.
    /// - Parameter isChangedBelow: whether a memory below it serves another catalogue than before.
    func follow(isChangedBelow: Bool) async -> [RefreshResult]
}

/// A source whose catalogue may become another at a known time, although its upstream has not changed.
package protocol TimedProvider: ProductsProvider {
    /// Whether it reads values that count for a time, such as sale prices.
    var isTimed: Bool { get }
    /// The time until which the last catalogue is right; nil if it does not depend on the time.
    var validUntil: Date? { get }
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

/// A provider that keeps the last refused catalogue, until an operator accepts it.
package protocol QuarantiningProvider: ProductsProvider {
    /// The refused catalogue; nil when the last one passed.
    var quarantined: QuarantinedCatalogue? { get }
    /// Accepts the catalogue with this revision once, when the upstream next returns it.
    /// - Returns: whether it is the quarantined one.
    func accept(revision: String) -> Bool
}

/// A provider that also judges catalogues from elsewhere than its upstream, such as those of a fleet.
package protocol CatalogueJudge: ProductsProvider {
    /// Judges an answer as if the upstream had returned it for this request.
    /// - Returns: the answer as the provider passes it on.
    /// - Throws: `ProductsFailure.refused` if it may not be served.
    func judge(_ answer: ProductsAnswer, for request: ProductsRequest) async throws -> ProductsAnswer
    /// Decides whether a catalogue may replace another one, independently of earlier answers, and records nothing.
    /// - Throws: `ProductsFailure.refused` if it may not.
    func compare(_ catalogue: Catalogue, replacing old: Catalogue) async throws(ProductsFailure)
    /// Accepts the catalogue with this revision once, in advance. A later call replaces the revision; nil removes it.
    func expect(revision: String?)
}

/// A catalogue that a provider refused.
package struct QuarantinedCatalogue: Sendable {
    package let catalogue: Catalogue
    /// The catalogue that it would replace; nil without one.
    package let baseline: Catalogue?
    package let failure: ProductsFailure
    package let since: Date
    /// When it passes by itself; nil if it waits for an operator.
    package let withheldUntil: Date?

    package init(
        _ catalogue: Catalogue, replacing baseline: Catalogue?, failure: ProductsFailure, since: Date,
        withheldUntil: Date?
    ) {
        (self.catalogue, self.baseline, self.failure) = (catalogue, baseline, failure)
        (self.since, self.withheldUntil) = (since, withheldUntil)
    }
}
