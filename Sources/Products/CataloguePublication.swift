package import FoundationEssentials
internal import struct Synchronization.Atomic

/// A provider that publishes catalogues, and knows at any time which one it may serve.
package protocol CataloguePublisher: AnyObject, Sendable {
    /// The newest catalogue that requests may get, of whatever variant; nil for none.
    var servable: ProductsAnswer? { get }
}

/// A catalogue that a provider publishes to answer later requests from, until it withdraws it.
///
/// It is immutable: the provider withdraws it as soon as it would answer differently, for example after a refresh, whatever
/// its outcome. Any thread may use it.
package final class CataloguePublication: Sendable {
    /// The way to serve the catalogue at a moment.
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
    /// The provider; nil once it is released, or where it is not known.
    package weak let publisher: (any CataloguePublisher)?
    private let decide: @Sendable (Date) -> Serving?
    private let refresh: Refresh
    private let replacement: @Sendable () -> CataloguePublication?
    private let isOver = Atomic(false)
    private let isRefreshing = Atomic(false)
    private let lifetime = CatalogueLifetime()

    /// - Parameters:
    ///   - decide: the way to serve at a moment of the wall clock; nil where the provider has to be asked. Called for each
    ///     answer, so it must be quick.
    ///   - refresh: must not hold the provider.
    ///   - replacement: publishes the catalogue in its place when it is withdrawn; must not hold the provider.
    package init(
        fresh: ProductsAnswer, stale: ProductsAnswer, by publisher: (any CataloguePublisher)? = nil,
        decide: @escaping @Sendable (Date) -> Serving?, refresh: @escaping Refresh,
        replacement: @escaping @Sendable () -> CataloguePublication? = { nil }
    ) {
        self.fresh = fresh
        self.stale = stale
        self.publisher = publisher
        self.decide = decide
        self.refresh = refresh
        self.replacement = replacement
    }

    /// Whether it may be answered from.
    package var isCurrent: Bool { !isOver.load(ordering: .acquiring) }

    /// The way to serve the catalogue at a moment; nil where the provider has to be asked.
    func serving(at moment: Date) -> Serving? {
        isCurrent ? decide(moment) : nil
    }

    /// Starts the refresh behind an answer, once: it ends with the withdrawal.
    func refreshBehind(_ request: @autoclosure () -> ProductsRequest) {
        if isRefreshing.load(ordering: .relaxed) { return }
        if refresh(request()) { isRefreshing.store(true, ordering: .relaxed) }
    }

    /// Ends it: no later request is answered from it. The provider calls it under the lock of what it would answer, and
    /// `release()` after that.
    package func withdraw() {
        isOver.store(true, ordering: .releasing)
    }

    /// The publication that has replaced a released one; nil where the provider has to be asked.
    func next() -> CataloguePublication? { replacement() }

    /// Has the holders of leases on a withdrawn publication drop them. Called without a lock, since that may release many
    /// objects.
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
