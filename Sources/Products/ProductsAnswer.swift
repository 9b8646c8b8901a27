package import FoundationEssentials

/// A snapshot with the trail of the providers that made it.
public struct ProductsAnswer: Sendable {
    package let snapshot: ProductsSnapshot
    /// The steps in the order of events: the source before the decorators around it. They are informative, except the
    /// failure behind a substitute.
    package private(set) var trail: [TrailStep]
    /// The freshness stated by a provider that keeps answers.
    package let freshness: Freshness?
    /// The position of the catalogue in the sequence of its provider; `none` if the provider keeps no sequence.
    package let mark: CatalogueMark
    private(set) var transfer = LeaseTransfer.none
    package private(set) var standing: CatalogueStanding

    /// - Parameter standing: the standing of a kept catalogue; the steps of the trail may make it worse.
    package init(
        snapshot: ProductsSnapshot, trail: [TrailStep] = [], freshness: Freshness? = nil, mark: CatalogueMark = .none,
        standing: CatalogueStanding = .confirmed
    ) {
        (self.snapshot, self.trail, self.freshness, self.mark) = (snapshot, trail, freshness, mark)
        self.standing = trail.reduce(standing) { max($0, $1.outcome.standing) }
    }

    package func adding(_ step: TrailStep) -> ProductsAnswer {
        changed(to: trail + [step], by: [step]) { $0.adding(step) }
    }

    /// Inserts earlier steps, such as those of a branch that failed first.
    package func preceded(by steps: [TrailStep]) -> ProductsAnswer {
        changed(to: steps + trail, by: steps) { $0.preceded(by: steps) }
    }

    private func changed(
        to trail: [TrailStep], by steps: [TrailStep], leased: @escaping @Sendable (ProductsAnswer) -> ProductsAnswer
    ) -> ProductsAnswer {
        var answer = with(transfer.changingTrail(leased))
        answer.trail = trail
        answer.standing = steps.reduce(standing) { max($0, $1.outcome.standing) }
        return answer
    }

    func with(_ transfer: LeaseTransfer) -> ProductsAnswer {
        var answer = self
        answer.transfer = transfer
        return answer
    }

    /// The first failure on the trail, which caused a substitute.
    package var failure: ProductsFailure? {
        for case .failed(let failure) in trail.lazy.map(\.outcome) { return failure }
        return nil
    }

    /// Whether a provider had kept this answer.
    package var isHit: Bool {
        if case .hit? = freshness?.verdict { true } else { false }
    }
}

/// Why the catalogue of an answer may be kept, or not. A later case outweighs the earlier ones.
package enum CatalogueStanding: Int, Sendable, Comparable {
    /// The source returned it, and every gate could check it.
    case confirmed
    /// A gate had no catalogue to compare it with.
    case unchecked
    /// It is a substitute, since the source fails.
    case substitute
    /// An operator has pinned it.
    case pinned
    /// The catalogue, or a part of it, is a substitute that is meant for other requests.
    case forOthers

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// The contribution of one provider to an answer.
public struct TrailStep: Sendable, Hashable, CustomStringConvertible {
    /// The provider's label in the config file or, without one, its type.
    package let node: String
    package let outcome: TrailOutcome

    package init(node: String, outcome: TrailOutcome) {
        self.node = node
        self.outcome = outcome
    }

    /// The step in logs and `larder fetch`, such as `http: refused`.
    public var description: String { "\(node): \(outcome)" }
}

/// The action of one provider for one request. The set is closed, so it can label metrics.
package enum TrailOutcome: Sendable, Hashable, CustomStringConvertible {
    /// Served a fresh kept answer.
    case hit
    /// Served a stale kept answer.
    case stale
    /// Had no answer.
    case miss
    /// Fetched an answer from its source.
    case fetched
    /// Its source confirmed the known answer.
    case unchanged
    /// Chose, or fell back to, the branch of this role.
    case chose(role: String)
    /// Chose the branch of this role, meant for other requests, because the right one failed.
    case substituted(role: String)
    /// Saves the answer in the background.
    case saving
    /// Served the pinned catalogue, whatever its upstream has.
    case pinned
    /// Passed on a catalogue that could not be compared with the previous one.
    case unchecked
    /// Repeated a request.
    case retried
    /// Delayed the answer on purpose.
    case delayed
    /// Failed; shown as the failure's ``ProductsFailure/token``, such as `refused`, `timeout` or `status-503`.
    case failed(ProductsFailure)
    /// Was not asked, or left its work out.
    case skipped

    /// The standing of a catalogue that a provider with this outcome passes on.
    fileprivate var standing: CatalogueStanding {
        switch self {
        case .unchecked: .unchecked
        case .pinned: .pinned
        case .failed: .substitute
        case .substituted: .forOthers
        default: .confirmed
        }
    }

    /// The token after the node's name in a trail; of a failure, its reason.
    package var description: String {
        switch self {
        case .hit: "hit"
        case .stale: "stale"
        case .miss: "miss"
        case .fetched: "fetched"
        case .unchanged: "unchanged"
        case .chose(let role), .substituted(let role): role
        case .saving: "saving"
        case .pinned: "pinned"
        case .unchecked: "unchecked"
        case .retried: "retried"
        case .delayed: "delayed"
        case .failed(let failure): failure.token
        case .skipped: "skipped"
        }
    }
}

/// A catalogue at one moment. Copies share the catalogue, for the cost of a reference count.
public struct ProductsSnapshot: Sendable {
    package let catalogue: Catalogue
    /// When the source confirmed these products, by the wall clock. Ages count from it. For a caching source it is
    /// earlier than the request.
    package let fetchedAt: Date
    /// When the source last responded to this service or its fleet: at `fetchedAt` or later. `ttl` counts from it.
    package let checkedAt: Date
    package let origin: ProductsOrigin
    /// The statement of a source that is a cache; nil for any other.
    package let source: SourceStatement?

    /// - Parameter checkedAt: `fetchedAt` by default.
    package init(
        catalogue: Catalogue, fetchedAt: Date, checkedAt: Date? = nil, origin: ProductsOrigin,
        source: SourceStatement? = nil
    ) {
        self.catalogue = catalogue
        self.fetchedAt = fetchedAt
        self.checkedAt = max(checkedAt ?? fetchedAt, fetchedAt)
        self.origin = origin
        self.source = source
    }

    /// Returns other products of the same times and source.
    package func with(_ catalogue: Catalogue) -> ProductsSnapshot {
        ProductsSnapshot(
            catalogue: catalogue, fetchedAt: fetchedAt, checkedAt: checkedAt, origin: origin, source: source)
    }

    /// Returns the same snapshot as checked at another time.
    package func checked(at time: Date) -> ProductsSnapshot {
        ProductsSnapshot(catalogue: catalogue, fetchedAt: fetchedAt, checkedAt: time, origin: origin, source: source)
    }

    /// Returns the same snapshot as read from another place.
    package func from(_ origin: ProductsOrigin) -> ProductsSnapshot {
        ProductsSnapshot(
            catalogue: catalogue, fetchedAt: fetchedAt, checkedAt: checkedAt, origin: origin, source: source)
    }

    /// The products, in upstream order.
    package var products: EncodedProducts { catalogue.products }

    /// The content hash of the products; see ``Catalogue/revision``.
    package var revision: String { catalogue.revision }

    /// The time since the products were confirmed. Never negative, also when the wall clock was set back.
    package func age(at moment: Date) -> Duration {
        .seconds(reckoned(at: moment).timeIntervalSince(fetchedAt))
    }

    /// Returns the snapshot as a day old if its time is in the future, or older if its source was: a wrong clock dated
    /// it, so its age is unknown.
    package func credible(at moment: Date) -> ProductsSnapshot {
        guard checkedAt.timeIntervalSince(moment) > Self.tolerance else { return self }
        return dated(moment.addingTimeInterval(-max(86_400, checkedAt.timeIntervalSince(fetchedAt))))
    }

    /// Returns the snapshot with another time.
    package func dated(_ fetchedAt: Date) -> ProductsSnapshot {
        ProductsSnapshot(catalogue: catalogue, fetchedAt: fetchedAt, origin: origin, source: source)
    }

    /// Returns the snapshot with times that are earlier by this many seconds.
    package func earlier(by seconds: Double) -> ProductsSnapshot {
        ProductsSnapshot(
            catalogue: catalogue, fetchedAt: fetchedAt - seconds, checkedAt: checkedAt - seconds, origin: origin,
            source: source)
    }

    /// The difference of two clocks that is ignored, in seconds.
    package static let tolerance = 2.0

    /// The time to compute ages by: the wall clock's, but never before `checkedAt`.
    package func reckoned(at moment: Date) -> Date { max(moment, checkedAt) }
}

/// The place that a snapshot was read from.
public enum ProductsOrigin: String, Sendable, Hashable, CaseIterable, Codable {
    /// An upstream.
    case network
    /// A store on this machine.
    case store
    /// A file shipped with the service.
    case bundled
}
