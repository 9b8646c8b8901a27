public import FoundationEssentials
public import Products

/// Why refreshes of a catalogue fail, since when, and when the next one is due.
public struct UpstreamTrouble: Sendable, Hashable {
    /// When the upstream is asked again.
    public enum NextTry: Sendable, Hashable {
        /// It is being asked.
        case running
        /// After a pause.
        case after(Duration)
        /// With the next request that comes in.
        case onRequest
    }

    /// The last failure that tells how the upstream fails.
    public let failure: ProductsFailure
    /// When the first of the failures in a row was.
    public let since: Date
    /// When the upstream is asked again.
    public let nextTry: NextTry

    /// A trouble.
    public init(failure: ProductsFailure, since: Date, nextTry: NextTry) {
        self.failure = failure
        self.since = since
        self.nextTry = nextTry
    }
}

/// The failures of refreshes since the last one that succeeded.
struct FailuresInRow: Sendable {
    private let since: Date
    private let telling: ProductsFailure

    /// The row that a failure begins, or goes on with. An open breaker hides how the upstream fails, so the failure
    /// that opened it is kept.
    init(_ failure: ProductsFailure, at time: Date, after previous: FailuresInRow?) {
        since = previous?.since ?? time
        if case .circuitOpen = failure, let previous {
            telling = previous.telling
        } else {
            telling = failure
        }
    }

    func trouble(nextTry: UpstreamTrouble.NextTry) -> UpstreamTrouble {
        UpstreamTrouble(failure: telling, since: since, nextTry: nextTry)
    }
}
