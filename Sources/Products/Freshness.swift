internal import Concurrency
package import FoundationEssentials
package import Health

/// The freshness of an answer, stated by the provider that keeps it. Headers, probes, metrics and pages all use this
/// value and its `state(at:)`, so that they agree.
public struct Freshness: Sendable, Hashable {
    package enum Verdict: Sendable, Hashable {
        case hit
        /// An answer of the next provider. `status` is the HTTP status of its failure, if any; `stored` whether the
        /// answer is kept from now on.
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
    // The flags fill the padding after the verdict: answers are copied often, and larger ones cost calls.
    /// Whether the last refresh failed.
    package let isOffline: Bool
    /// Whether the answer may be stale only because no request came: requests start refreshes, and none is overdue.
    package let mayIdle: Bool
    /// Whether the running refresh takes longer than requests wait for it.
    package let isLate: Bool
    /// Whether an operator pinned the catalogue.
    package let isPinned: Bool
    /// The end of freshness, possibly past.
    package let freshUntil: Date
    /// The end of serving, even without a newer answer.
    package let servableUntil: Date
    /// The seconds after `freshUntil` in which the answer is served while a refresh runs in the background. A double is
    /// half as large as a duration.
    package let revalidatingSeconds: TimeInterval
    /// The seconds after `freshUntil` in which the answer is served when a refresh fails.
    package let failingSeconds: TimeInterval
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
        revalidatingSeconds = staleWhileRevalidate / .seconds(1)
        failingSeconds = staleIfError / .seconds(1)
        self.mayIdle = mayIdle
        self.isLate = isLate
        membersEnd = membersFreshUntil ?? .distantFuture
        self.isPinned = isPinned
    }

    package var staleWhileRevalidate: Duration { .seconds(revalidatingSeconds) }

    package var staleIfError: Duration { .seconds(failingSeconds) }

    /// The end of freshness of the members that an `overlay` has laid over the products, possibly past; nil without
    /// any.
    package var membersFreshUntil: Date? { membersEnd == .distantFuture ? nil : membersEnd }

    /// The state of a kept answer at a moment.
    package enum State: Int, Sendable, CaseIterable {
        case fresh
        /// Freshness has ended, and no refresh has failed since.
        case stale
        /// The last refresh failed, and the answer is still served.
        case offline
        /// The answer is too old to be served.
        case expired
    }

    /// - Parameter time: the wall clock's, or later if more time has passed by the monotonic clock.
    package func state(at time: Date) -> State {
        if time > servableUntil { return .expired }
        if isOffline { return .offline }
        return time > freshUntil ? .stale : .fresh
    }

    /// Whether the answer may be served at once while a refresh runs in the background.
    package func mayRevalidate(at time: Date) -> Bool { time <= freshUntil + revalidatingSeconds }

    /// Whether the answer is stale only because no request came.
    package func isIdle(at time: Date) -> Bool {
        mayIdle && time > freshUntil && !isOffline
    }

    /// Whether freshness has ended, and a refresh has been due since.
    package func isOverdue(at time: Date) -> Bool {
        time > freshUntil && !isIdle(at: time)
    }

    /// Whether a request gets this answer, or a newer one because the source neither fails nor is late.
    package func isServable(at time: Date) -> Bool {
        state(at: time) != .expired || !(isOffline || isLate)
    }
}

/// The statement that a caching source makes about its answer. A class, so that answers stay small.
package final class SourceStatement: Sendable, Hashable {
    /// How the source marks an answer that is not fresh.
    package enum Staleness: String, Sendable, CaseIterable, Codable {
        /// Older than it may be.
        case stale
        /// Served because its own source fails.
        case offline
    }

    /// nil for an answer that is no older than the source allows.
    package let staleness: Staleness?
    /// `Cache-Status` (RFC 9211) of the caches on the way, from the origin on; empty without any.
    package let cacheStatus: String
    /// The greatest length of `cacheStatus` in bytes, as JSON, so that the header of a file stays short.
    package static let longest = 160

    /// - Parameter cacheStatus: dropped if it is too long or invalid in a header, since it may come from a file or a
    ///   shared store.
    package init(_ staleness: Staleness?, cacheStatus: String = "") {
        self.staleness = staleness
        let length = cacheStatus.utf8.reduce(0) { $0 + ("\"\\".utf8.contains($1) ? 2 : 1) }
        let isFit = length <= Self.longest && cacheStatus.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        self.cacheStatus = isFit ? cacheStatus : ""
    }

    package static func == (one: SourceStatement, other: SourceStatement) -> Bool {
        one.staleness == other.staleness && one.cacheStatus == other.cacheStatus
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(staleness)
        hasher.combine(cacheStatus)
    }

    /// Returns the statement for products of two sources: the worse staleness, and the entries that belong to it.
    package static func worse(_ one: SourceStatement?, _ other: SourceStatement?) -> SourceStatement? {
        guard let one, let other else { return one ?? other }
        return other.rank > one.rank ? other : one
    }

    private var rank: Int {
        switch staleness {
        case nil: 0
        case .stale: 1
        case .offline: 2
        }
    }
}

/// A source that marks its own answers as stale.
package struct StaleSource: Sendable, Equatable {
    package let statement: SourceStatement
    package let staleness: SourceStatement.Staleness
    /// When the source confirmed the first of these catalogues.
    package let since: Date

    /// - Parameter before: the state after the previous answer; nil if it was not stale.
    /// - Returns: nil for a catalogue that is no older than its source allows.
    package init?(_ snapshot: ProductsSnapshot, after before: StaleSource? = nil) {
        guard let statement = snapshot.source, let staleness = statement.staleness else { return nil }
        (self.statement, self.staleness) = (statement, staleness)
        since = min(before?.since ?? snapshot.fetchedAt, snapshot.fetchedAt)
    }

    package var trouble: Trouble {
        let cause =
            switch staleness {
            case .stale: "it marks its own answer as stale"
            case .offline: "it serves a kept answer, since its own source fails"
            }
        let words = statement.cacheStatus.isEmpty ? "" : " (\(statement.cacheStatus))"
        return Trouble(.source, cause: cause + words, since: since)
    }
}
