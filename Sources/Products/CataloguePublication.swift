package import FoundationEssentials
internal import struct Synchronization.Atomic

/// A provider that publishes catalogues, and states at any time which one it may serve.
package protocol CataloguePublisher: Sendable {
    /// The newest servable catalogue of any variant; nil for none.
    var servable: ProductsAnswer? { get }
}

/// A catalogue that a provider publishes for later requests, until it withdraws it.
///
/// It is immutable: the provider withdraws it as soon as its own answer would differ, for example after any refresh.
/// Any thread may use it.
package final class CataloguePublication: Sendable {
    /// How to serve the catalogue at a given time.
    package struct Serving: Sendable, Hashable {
        package let isStale: Bool
        /// Whether a refresh is due behind the answer.
        package let isRefreshDue: Bool

        package init(isStale: Bool, isRefreshDue: Bool) {
            self.isStale = isStale
            self.isRefreshDue = isRefreshDue
        }
    }

    /// Starts a refresh behind the answer to a request; returns whether one is running.
    package typealias Refresh = @Sendable (_ request: ProductsRequest) -> Bool

    /// The provider's answer while the catalogue is fresh.
    package let fresh: ProductsAnswer
    /// The provider's answer while the catalogue is stale.
    package let stale: ProductsAnswer
    private let decide: @Sendable (Date) -> Serving?
    private let refresh: Refresh
    private let replacement: @Sendable () -> CataloguePublication?
    /// The publications that it was joined of; none for one of a single provider.
    private let parts: [CataloguePublication]
    private let isOver = Atomic(false)
    private let isRefreshing = Atomic(false)
    private let lifetime = CatalogueLifetime()

    /// - Parameters:
    ///   - decide: decides how to serve at a time of the wall clock; nil if the provider has to be asked. Called for
    ///     each answer, so it must be quick.
    ///   - refresh: must not retain the provider.
    ///   - replacement: publishes the next catalogue after a withdrawal; must not retain the provider.
    package init(
        fresh: ProductsAnswer, stale: ProductsAnswer, decide: @escaping @Sendable (Date) -> Serving?,
        refresh: @escaping Refresh,
        replacement: @escaping @Sendable () -> CataloguePublication? = { nil }
    ) {
        self.fresh = fresh
        self.stale = stale
        self.decide = decide
        self.refresh = refresh
        self.replacement = replacement
        parts = []
    }

    /// Joins publications to one that answers as long as each of them serves as it does now.
    ///
    /// - Parameters:
    ///   - answer: made of the answers of the parts.
    ///   - isIndifferent: whether the answer is the same if a part becomes stale, for each part.
    ///   - condition: a further condition, by the time of the wall clock. It must be quick.
    package init(
        joining parts: [LeasedPart], as answer: ProductsAnswer, isIndifferent: [Bool] = [],
        while condition: @escaping @Sendable (Date) -> Bool = { _ in true }
    ) {
        let expected = parts.enumerated().map { index, part in
            let isIndifferent = isIndifferent.indices.contains(index) && isIndifferent[index]
            return (publication: part.lease.publication, isStale: isIndifferent ? nil : part.isStale as Bool?)
        }
        (fresh, stale) = (answer, answer)
        refresh = { _ in false }
        replacement = { nil }
        self.parts = parts.map(\.lease.publication)
        decide = { moment in
            var isRefreshDue = false
            for part in expected {
                guard let serving = part.publication.serving(at: moment),
                    serving.isStale == part.isStale ?? serving.isStale
                else { return nil }
                isRefreshDue = isRefreshDue || serving.isRefreshDue
            }
            return condition(moment) ? Serving(isStale: false, isRefreshDue: isRefreshDue) : nil
        }
    }

    /// Whether it was joined of others.
    package var isJoined: Bool { !parts.isEmpty }

    /// Whether it may still answer requests.
    package var isCurrent: Bool { !isOver.load(ordering: .acquiring) }

    /// How to serve the catalogue at a given time; nil if the provider has to be asked.
    func serving(at moment: Date) -> Serving? {
        isCurrent ? decide(moment) : nil
    }

    /// Starts the refresh behind an answer, at most once, since the refresh ends with a withdrawal.
    func refreshBehind(_ request: @autoclosure () -> ProductsRequest, at moment: Date) {
        for part in parts where part.serving(at: moment)?.isRefreshDue == true {
            part.refreshBehind(request(), at: moment)
        }
        if isJoined || isRefreshing.load(ordering: .relaxed) { return }
        if refresh(request()) { isRefreshing.store(true, ordering: .relaxed) }
    }

    /// Withdraws the publication: no later request is answered from it. The provider calls it under the lock of its
    /// state, and `release()` after that.
    package func withdraw() {
        isOver.store(true, ordering: .releasing)
    }

    /// The publication that has replaced a released one; nil if the provider has to be asked.
    func next() -> CataloguePublication? { replacement() }

    /// Makes the holders of leases on a withdrawn publication drop them. Call it without a lock, since that may release
    /// many objects.
    package func release() {
        lifetime.end()
    }

    /// The number of handlers that wait for the release.
    package var handlers: Int { lifetime.handlers }

    /// Calls the handler once when a withdrawn publication is to be released, or at once if it already was.
    /// - Parameter handler: runs on the releasing thread and must not wait.
    package func whenReleased(_ handler: @escaping @Sendable () -> Void) {
        lifetime.whenOver(handler)
    }
}

/// A lease to be joined with others, as it answers at one time.
package struct LeasedPart: Sendable {
    package let lease: ProductsLease
    package let answer: ProductsAnswer
    package let isStale: Bool
}

/// The nodes that an answer from a lease has passed: a path up the graph, below which others may join.
package struct LeasePath: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// The nodes from the lowest one up.
    package private(set) var nodes: [String]
    /// The paths that join at the lowest node.
    package let joined: [LeasePath]

    package init(arrayLiteral nodes: String...) {
        (self.nodes, joined) = (nodes, [])
    }

    /// Joins paths; providers without an observer have an empty one.
    package init(joining paths: [LeasePath]) {
        let seen = paths.filter { !$0.nodes.isEmpty || !$0.joined.isEmpty }
        if seen.count == 1 { self = seen[0] } else { (nodes, joined) = ([], seen) }
    }

    package func adding(_ node: String) -> LeasePath {
        var path = self
        path.nodes.append(node)
        return path
    }
}
