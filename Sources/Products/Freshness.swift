internal import Concurrency
package import FoundationEssentials

/// The freshness of an answer, stated by the provider that keeps answers. Headers, probes, metrics and pages are all made
/// from this one value and its `state(at:)`, so that they agree.
public struct Freshness: Sendable, Hashable {
    package enum Verdict: Sendable, Hashable {
        case hit
        /// An answer of the next provider. `status` is the HTTP status of its failure, if any; `stored` whether the answer
        /// is kept from now on.
        case forwarded(reason: ForwardReason, status: Int?, stored: Bool)
    }

    /// Why the next provider was asked, in terms of RFC 9211.
    package enum ForwardReason: String, Sendable, Hashable, CaseIterable {
        /// No answer was kept.
        case miss
        /// The kept answer was too old.
        case stale
        /// No answers are kept for such requests.
        case bypass
    }

    package let verdict: Verdict
    // The flags fill the space behind the verdict: answers are copied often, and larger ones cost calls.
    /// Whether the last refresh failed.
    package let isOffline: Bool
    /// Whether staleness may only mean that there were no requests: requests start refreshes, and none is overdue.
    package let mayIdle: Bool
    /// Whether the running refresh takes longer than requests wait for it.
    package let isLate: Bool
    /// Whether an operator pinned the catalogue.
    package let isPinned: Bool
    /// The end of freshness, possibly past.
    package let freshUntil: Date
    /// The end of serving, even without a newer answer.
    package let servableUntil: Date
    /// The time after `freshUntil` in which the answer is served while a refresh runs in the background.
    package let staleWhileRevalidate: Duration
    /// The time after `freshUntil` in which the answer is served when a refresh fails.
    package let staleIfError: Duration
    private let membersEnd: Date

    package init(
        verdict: Verdict, isOffline: Bool, freshUntil: Date, servableUntil: Date, staleWhileRevalidate: Duration,
        staleIfError: Duration, mayIdle: Bool = true, isLate: Bool = false, membersFreshUntil: Date? = nil,
        isPinned: Bool = false
    ) {
        self.verdict = verdict
        self.isOffline = isOffline
        self.freshUntil = freshUntil
        self.servableUntil = servableUntil
        self.staleWhileRevalidate = staleWhileRevalidate
        self.staleIfError = staleIfError
        self.mayIdle = mayIdle
        self.isLate = isLate
        membersEnd = membersFreshUntil ?? .distantFuture
        self.isPinned = isPinned
    }

    /// The end of freshness of the members that an `overlay` has laid over the products, possibly past; nil without any.
    package var membersFreshUntil: Date? { membersEnd == .distantFuture ? nil : membersEnd }

    /// The state of a kept answer at a moment.
    package enum State: Int, Sendable, CaseIterable {
        case fresh
        /// Freshness has ended, and no refresh has failed since.
        case stale
        /// The last refresh failed, and the answer is served nevertheless.
        case offline
        /// The answer is too old to be served.
        case expired
    }

    /// - Parameter time: the wall clock's, or later where a clock that runs evenly says that more time has gone by.
    package func state(at time: Date) -> State {
        if time > servableUntil { return .expired }
        if isOffline { return .offline }
        return time > freshUntil ? .stale : .fresh
    }

    /// Whether the answer may be served at once while a refresh runs in the background.
    package func mayRevalidate(at time: Date) -> Bool {
        time <= freshUntil.advanced(by: staleWhileRevalidate)
    }

    /// Whether the answer is stale only for lack of requests.
    package func isIdle(at time: Date) -> Bool {
        mayIdle && time > freshUntil && !isOffline
    }

    /// Whether freshness has ended, and a refresh has been due since.
    package func isOverdue(at time: Date) -> Bool {
        time > freshUntil && !isIdle(at: time)
    }

    /// Whether a request gets the answer, or a newer one from a source that neither fails nor is late.
    package func isServable(at time: Date) -> Bool {
        state(at: time) != .expired || !(isOffline || isLate)
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
