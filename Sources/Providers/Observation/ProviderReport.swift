package import FoundationEssentials
package import Products

/// Reports the live state of a provider to operators. Reading it may take a lock, so requests do not read it.
package protocol StateReporting: Sendable {
    /// The state at this moment.
    var report: ProviderReport { get }
}

/// The state of a provider at a moment.
package struct ProviderReport: Sendable {
    /// Lines for operators, with fixed names in a fixed order.
    package let entries: [LiveStateEntry]
    /// The stage of a circuit breaker; nil for other providers.
    package internal(set) var breaker: CircuitBreakerStage?
    /// The content of a memory; nil for other providers.
    package internal(set) var memory: MemoryReport?
}

/// One line about the state of a provider.
package struct LiveStateEntry: Sendable, Hashable {
    /// The name, in lower case with underscores: `state`, `in_flight`.
    package let name: String
    /// The value: `open`, `3`.
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The catalogues that a `memory` keeps, and why its refreshes fail.
package struct MemoryReport: Sendable {
    /// One catalogue for each variant that has been fetched.
    package let kept: [KeptSnapshot]
    /// One entry for each variant whose refreshes fail.
    package let troubles: [UpstreamTrouble]
    /// Whether the kept catalogues are served; false for the entries of an `overlay`.
    package var isServed = true
}

package struct KeptSnapshot: Sendable {
    package let snapshot: ProductsSnapshot
    /// The catalogue's freshness, and whether its source fails; nil if unknown.
    package let freshness: Freshness?
    package let standing: CatalogueStanding

    package init(
        snapshot: ProductsSnapshot, freshness: Freshness? = nil, standing: CatalogueStanding = .confirmed
    ) {
        (self.snapshot, self.freshness, self.standing) = (snapshot, freshness, standing)
    }
}

/// The reason why refreshes of a catalogue fail, since when, and when the next one is due.
package struct UpstreamTrouble: Sendable, Hashable {
    package enum NextTry: Sendable, Hashable {
        case running
        case after(Duration)
        case onRequest
    }

    /// The last failure of the upstream itself, not of an open breaker before it.
    package let failure: ProductsFailure
    /// The time of the first failure in a row.
    package let since: Date
    package let nextTry: NextTry

    package init(failure: ProductsFailure, since: Date, nextTry: NextTry) {
        self.failure = failure
        self.since = since
        self.nextTry = nextTry
    }
}

/// The stage of a circuit breaker, with the raw value that operators see.
package enum CircuitBreakerStage: String, Sendable, CaseIterable {
    case closed
    case open
    /// One call at a time is admitted as a probe.
    case halfOpen = "half-open"
}
