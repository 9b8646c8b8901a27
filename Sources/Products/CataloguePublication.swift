internal import Concurrency
package import FoundationEssentials
internal import struct Synchronization.Atomic
package import Tracing

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

    /// Starts a refresh on behalf of a request that this identifies; returns whether one is running.
    package typealias Refresh = @Sendable (_ request: ProductsRequest, _ cause: (any RequestIdentitySource)?) -> Bool

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
    func refreshBehind(
        _ request: @autoclosure () -> ProductsRequest, _ cause: @autoclosure () -> (any RequestIdentitySource)?
    ) {
        if isRefreshing.load(ordering: .relaxed) { return }
        if refresh(request(), cause()) { isRefreshing.store(true, ordering: .relaxed) }
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

    /// Calls the handler once when a withdrawn publication is to be released, or at once if it already was.
    /// - Parameter handler: runs on the releasing thread and must not wait.
    package func whenReleased(_ handler: @escaping @Sendable () -> Void) {
        lifetime.whenOver(handler)
    }
}

/// Reports the release of a catalogue without holding a reference to it.
///
/// Data derived from a catalogue is larger than the catalogue. Caches of such data register here to release it in time.
package final class CatalogueLifetime: Sendable {
    private enum State {
        case lasting([@Sendable () -> Void])
        case over
    }

    private let state = Mutex(State.lasting([]))

    init() {}

    package var isOver: Bool {
        state.withLock { if case .over = $0 { true } else { false } }
    }

    /// Calls the handler once when the catalogue is released, or at once if it already was.
    /// - Parameter handler: runs on the releasing thread, which may be an event loop under a lock: it must neither wait
    ///   nor compute.
    package func whenOver(_ handler: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            guard case .lasting(let handlers) = state else { return true }
            state = .lasting(handlers + [handler])
            return false
        }
        if isOver { handler() }
    }

    func end() {
        let handlers = state.withLock { state -> [@Sendable () -> Void] in
            defer { state = .over }
            if case .lasting(let handlers) = state { return handlers }
            return []
        }
        for handler in handlers { handler() }
    }
}

/// The question whether bytes that a catalogue took over unseen are damaged. Catalogues that are made of its products share
/// it.
package final class CatalogueDoubt: Sendable {
    enum State: Sendable {
        case open
        /// The bytes are what they should be.
        case dispelled
        /// The bytes are damaged.
        case confirmed
    }

    private let kept = Mutex(State.open)

    var state: State { kept.withLock { $0 } }
    package var isConfirmed: Bool { state == .confirmed }

    func settle(isConfirmed: Bool) {
        kept.withLock { $0 = isConfirmed ? .confirmed : .dispelled }
    }
}

extension [CatalogueDoubt] {
    /// Adds those that are not there yet.
    mutating func add(_ others: [CatalogueDoubt]) {
        for other in others where !contains(where: { $0 === other }) { append(other) }
    }
}
