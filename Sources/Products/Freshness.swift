import Concurrency
public import FoundationEssentials

/// How fresh an answer is, as the provider that keeps answers saw it. `Cache-Status`, `Cache-Control`, readiness and
/// metrics are all made from this one value, so they cannot contradict each other.
public struct Freshness: Sendable, Hashable {
    /// Whether the answer was there or had to be asked for.
    public enum Verdict: Sendable, Hashable {
        /// It was there.
        case hit
        /// The next provider was asked. `status` is the HTTP status it failed with, where there was one, and `stored`
        /// tells whether the answer is kept from now on.
        case forwarded(reason: ForwardReason, status: Int?, stored: Bool)
    }

    /// Why the next provider was asked, in the terms of RFC 9211.
    public enum ForwardReason: String, Sendable, Hashable, CaseIterable {
        /// Nothing was kept.
        case miss
        /// What was kept was too old.
        case stale
        /// Nothing is kept for requests like this one.
        case bypass
    }

    /// Whether the answer was there or had to be asked for.
    public let verdict: Verdict
    /// Whether the last try to refresh the answer failed.
    public let isOffline: Bool
    /// When freshness ends, or has ended.
    public let freshUntil: Date
    /// When the answer may no longer be served, even if nothing newer can be had.
    public let servableUntil: Date
    /// How long after `freshUntil` the answer is served while one refresh runs behind it.
    public let staleWhileRevalidate: Duration
    /// How long after `freshUntil` the answer is served when a refresh fails.
    public let staleIfError: Duration
    /// Whether an age beyond freshness may only mean that there were no requests: refreshes start with requests, and
    /// none has been running for long.
    public let mayIdle: Bool
    /// Whether the refresh that is running takes longer than requests wait for it.
    public let isLate: Bool

    /// A statement of freshness.
    public init(
        verdict: Verdict, isOffline: Bool, freshUntil: Date, servableUntil: Date, staleWhileRevalidate: Duration,
        staleIfError: Duration, mayIdle: Bool = true, isLate: Bool = false
    ) {
        self.verdict = verdict
        self.isOffline = isOffline
        self.freshUntil = freshUntil
        self.servableUntil = servableUntil
        self.staleWhileRevalidate = staleWhileRevalidate
        self.staleIfError = staleIfError
        self.mayIdle = mayIdle
        self.isLate = isLate
    }

    /// Whether freshness has ended for no other reason than that nobody has asked since.
    public func isIdle(at time: Date) -> Bool {
        mayIdle && time > freshUntil && !isOffline
    }
}

/// Reports the release of a catalogue without holding a reference to it.
///
/// Data derived from a catalogue is larger than the catalogue. Caches of such data register here to release it in time.
public final class CatalogueLifetime: Sendable {
    private enum State {
        case lasting([@Sendable () -> Void])
        case over
    }

    private let state = Mutex(State.lasting([]))

    init() {}

    /// Whether the catalogue is gone.
    public var isOver: Bool {
        state.withLock { if case .over = $0 { true } else { false } }
    }

    /// Calls the handler once when the catalogue is gone, or at once if it is gone already.
    /// - Parameter handler: runs on the thread that released the catalogue, which may be an event loop under a lock: it
    ///   may neither wait nor work.
    public func whenOver(_ handler: @escaping @Sendable () -> Void) {
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
