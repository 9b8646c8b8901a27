/// A snapshot, and the trail of what each provider on the way did to get it.
public struct ProductsAnswer: Sendable {
    /// The catalogue.
    public let snapshot: ProductsSnapshot
    /// What happened, in the order in which it happened: the source comes before the decorators around it.
    public let trail: [TrailStep]
    /// How fresh the answer is, when a provider that keeps answers has said so.
    public let freshness: Freshness?

    /// An answer with this snapshot.
    public init(snapshot: ProductsSnapshot, trail: [TrailStep] = [], freshness: Freshness? = nil) {
        self.snapshot = snapshot
        self.trail = trail
        self.freshness = freshness
    }

    /// The same answer with one more step at the end of its trail.
    public func adding(_ step: TrailStep) -> ProductsAnswer {
        ProductsAnswer(snapshot: snapshot, trail: trail + [step], freshness: freshness)
    }

    /// The same answer with steps that happened before those it has, such as those of a branch that failed first.
    public func preceded(by steps: [TrailStep]) -> ProductsAnswer {
        ProductsAnswer(snapshot: snapshot, trail: steps + trail, freshness: freshness)
    }

    /// The first failure on the trail: why the answer is a substitute, if it is one.
    public var failure: ProductsFailure? {
        for case .failed(let failure) in trail.lazy.map(\.outcome) { return failure }
        return nil
    }

    /// Whether a provider that keeps answers had this one there.
    public var isHit: Bool {
        if case .hit? = freshness?.verdict { true } else { false }
    }

    /// Whether the catalogue, or a part of it, is meant for other requests and given for want of a better one.
    public var isForOthers: Bool {
        trail.contains { if case .substituted = $0.outcome { true } else { false } }
    }

    /// The same answer with its freshness stated.
    public func with(_ freshness: Freshness) -> ProductsAnswer {
        ProductsAnswer(snapshot: snapshot, trail: trail, freshness: freshness)
    }
}

/// One line of the explanation of an answer: which provider, and what it did.
public struct TrailStep: Sendable, Hashable, CustomStringConvertible {
    /// The provider's name: its label in the config file or, without one, its type.
    public let node: String
    /// What it did.
    public let outcome: TrailOutcome

    /// A step of the provider with this name.
    public init(node: String, outcome: TrailOutcome) {
        self.node = node
        self.outcome = outcome
    }

    /// The step as logs and `larder fetch` print it, such as `http: refused`.
    public var description: String { "\(node): \(outcome)" }
}

/// What one provider did about one request. The set is closed, so it can label metrics.
public enum TrailOutcome: Sendable, Hashable, CustomStringConvertible {
    /// It had a fresh answer itself.
    case hit
    /// It had an answer whose freshness has ended.
    case stale
    /// It had no answer.
    case miss
    /// It fetched an answer from its source.
    case fetched
    /// Its source answered with what was there already.
    case unchanged
    /// It chose, or fell back to, the branch of this role.
    case chose(role: String)
    /// It chose the branch of this role, which is meant for other requests, because the one for this request failed.
    case substituted(role: String)
    /// It has the answer saved, behind it.
    case saving
    /// It logged an event for the answer.
    case logged
    /// It found the answer acceptable.
    case accepted
    /// It asked its upstream more than once before there was an answer.
    case retried
    /// It made the answer wait, on purpose.
    case delayed
    /// It failed; shown as the failure's ``ProductsFailure/token``, such as `refused`, `timeout` or `status-503`.
    case failed(ProductsFailure)
    /// It was not asked, or left its work out.
    case skipped

    /// The token that stands after the node's name in a trail; a failure shows as its reason alone.
    public var description: String {
        switch self {
        case .hit: "hit"
        case .stale: "stale"
        case .miss: "miss"
        case .fetched: "fetched"
        case .unchanged: "unchanged"
        case .chose(let role), .substituted(let role): role
        case .saving: "saving"
        case .logged: "logged"
        case .accepted: "accepted"
        case .retried: "retried"
        case .delayed: "delayed"
        case .failed(let failure): failure.token
        case .skipped: "skipped"
        }
    }
}
