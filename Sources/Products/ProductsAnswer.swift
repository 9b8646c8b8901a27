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
