internal import Products

/// How fresh the catalogue of an answer was, for metrics.
enum AnswerFreshness: String, Sendable, CaseIterable {
    case fresh
    /// Its freshness had ended.
    case stale
    /// The upstream fails; what there was is served on.
    case offline

    /// By what the providers say of it, so that no clock is read for it.
    init(_ answer: borrowing ProductsAnswer) {
        if let freshness = answer.freshness {
            self = freshness.isOffline ? .offline : answer.isHit && Self.isStale(answer) ? .stale : .fresh
        } else {
            self = answer.failure == nil ? .fresh : .offline
        }
    }

    /// Its place among all.
    var place: Int {
        switch self {
        case .fresh: 0
        case .stale: 1
        case .offline: 2
        }
    }

    private static func isStale(_ answer: borrowing ProductsAnswer) -> Bool {
        for index in answer.trail.indices {
            if case .stale = answer.trail[index].outcome { return true }
        }
        return false
    }
}
