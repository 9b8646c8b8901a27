internal import Concurrency
internal import FoundationEssentials
internal import Health
internal import Products

/// The entries that the second source of an `overlay` has for a request.
struct OverlayEntries: Sendable {
    let catalogue: Catalogue
    /// The end of their freshness; in the past if the source marks them as stale.
    let freshUntil: Date
    /// Whether they are stale, by `ttl` or as marked by the source.
    let isStale: Bool
    /// The lease of the source's answer; nil for entries of the store.
    var lease: ProductsLease?

    init(_ catalogue: Catalogue, freshUntil: Date, isStale: Bool) {
        (self.catalogue, self.freshUntil, self.isStale) = (catalogue, freshUntil, isStale)
    }

    /// The entries of the source's answer; nil for one without a freshness.
    init?(_ answer: ProductsAnswer, at moment: Date) {
        guard let freshness = answer.freshness else { return nil }
        (catalogue, freshUntil) = (
            answer.snapshot.catalogue, freshness.overlayEnd(of: answer.snapshot, answer.standing)
        )
        isStale = moment > freshUntil
        lease = answer.handingLease().lease
    }
}

/// Keeps the entries of an `overlay` fresh, in a `memory` of its own.
///
/// The source is asked again at half of `ttl`, so entries stay fresh as long as it answers within the other half. After
/// a start the entries in the store stand in for it.
struct OverlaySource: Sendable {
    /// The longest time that a request waits for the store.
    private static let storeTimeout = Duration.seconds(1)

    private let memory: MemoryProductsProviderDecorator
    private let store: (any ProductsProvider)?
    private let wallClock: WallClock

    /// - Parameters:
    ///   - memory: its policy is ``FreshnessPolicy/init(overlayTTL:holdOff:maxWait:)``.
    ///   - store: has the entries from before a restart.
    init(_ memory: MemoryProductsProviderDecorator, store: (any ProductsProvider)? = nil, wallClock: WallClock) {
        (self.memory, self.store, self.wallClock) = (memory, store, wallClock)
    }

    /// Returns the entries; nil if none were received yet and none are stored.
    ///
    /// Waits for the source at most `max_wait`, and only if no entries are fresh and the source neither fails nor is
    /// late.
    func entries(for request: ProductsRequest) async -> OverlayEntries? {
        guard let answer = await memory.answerInTime(for: request),
            let entries = OverlayEntries(answer, at: wallClock.now())
        else { return await storedEntries(for: request) }
        return entries
    }

    /// Returns the stored entries, as stale, while the source has neither answered nor failed.
    private func storedEntries(for request: ProductsRequest) async -> OverlayEntries? {
        let end = ContinuousClock.now + Self.storeTimeout
        let read = ProductsRequest(deadline: request.deadline.map { min($0, end) } ?? end)
        guard let snapshot = try? await store?.products(for: read).snapshot else { return nil }
        return OverlayEntries(snapshot.catalogue, freshUntil: snapshot.checkedAt - 1, isStale: true)
    }

    private func isPast(_ moment: Date) -> Bool { wallClock.now() > moment }

    /// The state of the entries, not of the memory, whose freshness ends at half of `ttl`.
    var report: ProviderReport {
        let report = memory.report
        let states = (report.memory?.kept ?? []).map { kept in
            kept.freshness.map { isPast($0.overlayEnd(of: kept.snapshot, kept.standing)) } ?? true ? "stale" : "fresh"
        }
        let shown = states.isEmpty ? "unseen" : Set(states).sorted().joined(separator: "; ")
        var memory = report.memory
        memory?.isServed = false
        return ProviderReport(
            entries: [LiveStateEntry("members", shown)] + report.entries.filter { $0.name != "freshness" },
            memory: memory)
    }

    /// The second source while it marks its own entries as stale.
    var troubles: [Trouble] { memory.troubles }
}

extension Freshness {
    /// The end of the first two windows, which is the end of freshness under the policy of an overlay. Entries that
    /// their source marked as stale are stale from their arrival on, and so are entries of a file or store that
    /// replaces a failing source.
    fileprivate func overlayEnd(of snapshot: ProductsSnapshot, _ standing: CatalogueStanding) -> Date {
        let end = freshUntil.advanced(by: staleWhileRevalidate)
        let isSubstitute = standing == .substitute && snapshot.origin != .network
        guard isSubstitute || snapshot.source?.staleness != nil else { return end }
        // A second earlier, so that also the seconds in `Cache-Status` are negative.
        return min(end - snapshot.checkedAt.timeIntervalSince(snapshot.fetchedAt), snapshot.checkedAt - 1)
    }
}

extension FreshnessPolicy {
    /// The policy for the entries of an `overlay`: they are refreshed from half of `ttl` on, requests wait for a
    /// refresh beyond it, and entries never expire.
    package init(overlayTTL ttl: Duration, holdOff: Duration = .seconds(1), maxWait: Duration = .seconds(1)) {
        self.init(
            ttl: ttl / 2, staleWhileRevalidate: ttl - ttl / 2, staleIfError: .seconds(100 * 365 * 86400),
            holdOff: holdOff, maxWait: maxWait)
    }
}

extension MemoryProductsProviderDecorator {
    /// Returns the kept answer or a new one; nil if there is none to serve.
    ///
    /// Waits at most `max_wait` for a refresh, and not at all if nothing is kept and the upstream fails or is late:
    /// then a due refresh is started for later requests.
    fileprivate func answerInTime(for request: ProductsRequest) async -> ProductsAnswer? {
        let variant = variant(for: request)
        let isHopeless = variant.withLock { state in
            state.memory.snapshot == nil && (state.memory.failure != nil || state.isLate(at: uptime.now))
        }
        let (decision, refresh, _) = decide(on: request, in: variant, mayWait: true)
        if case .answer(let answer, _) = decision { return answer }
        guard let refresh, !isHopeless else { return nil }
        _ = await outcome(of: refresh, in: variant)
        // Even if it is too old again: the source may have returned a kept answer.
        return variant.withLock { state in
            let stale = state.memory.stale
            return stale.map { leased($0, in: variant, &state) }
        }
    }
}
