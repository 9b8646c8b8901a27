internal import Concurrency
package import CoreMetrics
internal import FoundationEssentials
internal import Health
internal import Logging
internal import Products
package import Prometheus
internal import Tracing

/// A refresh of a `memory`.
final class MemoryRefresh: Sendable {
    /// The order that it carries out; nil for a refresh that was due.
    let order: RefreshOrder?
    /// Whether it takes over a catalogue from a store or memory below. The source is asked only if the memory's own
    /// catalogue is damaged.
    let isFollowing: Bool
    private let successor = Mutex<Task<CatalogueInForce.Outcome, Never>?>(nil)

    init(order: RefreshOrder?, isFollowing: Bool) {
        (self.order, self.isFollowing) = (order, isFollowing)
    }

    /// Records the successor of this refresh, before the task of this one is cancelled.
    func supersede(by refresh: Task<CatalogueInForce.Outcome, Never>) {
        successor.withLock { $0 = refresh }
    }

    /// The outcome of the successor.
    func outcomeOfSuccessor() async -> CatalogueInForce.Outcome {
        await successor.withLock { $0 }?.value ?? .failure(.cancelled)
    }
}

/// The change of the outage by a refresh, for the log. An outage is nil while the upstream works.
struct MemoryTransition: Sendable {
    typealias Line = (level: Logger.Level, message: Logger.Message)

    let from: MemoryOutage?
    let to: MemoryOutage?
    let failure: ProductsFailure?

    /// Returns the log line for it; nil if nothing has changed for operators.
    ///
    /// - Parameter isPinned: whether a pinned catalogue is served, whatever the upstream does.
    func line(isPinned: Bool) -> Line? {
        if from == to { return nil }
        if isPinned, from == nil { return (.warning, "refresh behind the pin failed") }
        if isPinned { return to == nil ? (.notice, "refreshes behind the pin succeed again") : nil }
        guard let to else { return (.notice, "upstream recovered") }
        guard let from else {
            if !to.isServing { return (.error, "upstream fails, nothing to serve") }
            if to.isLong { return (.warning, "upstream fails, the last good catalogue is stale") }
            return (.warning, "upstream fails, serving the last good catalogue")
        }
        if !to.isServing { return (.error, "upstream still fails, the last good catalogue is too old to be served") }
        if !from.isServing { return (.notice, "upstream still fails, there is a catalogue to serve again") }
        return to.isLong ? (.warning, "upstream still fails, the last good catalogue is stale") : nil
    }
}

/// The effect of a failing upstream on a `memory`.
struct MemoryOutage: Sendable, Equatable {
    /// Whether a catalogue may be served.
    let isServing: Bool
    /// Whether it is older than the window in which a refresh runs behind the answer.
    let isLong: Bool

    /// - Parameters:
    ///   - freshness: the freshness of the kept catalogue; nil without one.
    ///   - time: the time to decide by.
    init(_ freshness: Freshness?, at time: Date?) {
        guard let freshness, let time else {
            (isServing, isLong) = (false, true)
            return
        }
        isServing = freshness.state(at: time) != .expired
        isLong = !freshness.mayRevalidate(at: time)
    }
}

/// Logs the refreshes of one provider.
final class MemoryLog: Sendable {
    private let logger: Logger
    private let node: String
    /// The causes of the last outage.
    private let causes = Mutex(LoggedCauses())

    init(logger: Logger, node: String) {
        (self.logger, self.node) = (logger, node)
    }

    /// - Parameters:
    ///   - snapshot: the kept snapshot after the refresh.
    ///   - cause: the client's request that caused it.
    func ended(
        with transition: MemoryTransition, keeping snapshot: ProductsSnapshot?, isPinned: Bool,
        for cause: (any RequestIdentitySource)?, at time: Date
    ) {
        var metadata = cause?.cause.metadata ?? [:]
        metadata["provider"] = "\(node)"
        if let snapshot {
            metadata["age_seconds"] = .stringConvertible(Int(snapshot.age(at: time).components.seconds))
            metadata["revision"] = "\(snapshot.revision)"
        }
        let isOther = causes.withLock { causes in
            if transition.from == nil, transition.to != nil { causes = LoggedCauses() }
            return transition.failure.map { causes.add("\($0)") } ?? false
        }
        let other: MemoryTransition.Line? = isOther ? (.warning, "upstream still fails, for another reason") : nil
        guard let line = transition.line(isPinned: isPinned) ?? other else {
            return logger.debug("refresh ended, upstream state unchanged", metadata: metadata)
        }
        if let failure = transition.failure {
            metadata["reason"] = "\(failure.token)"
            metadata["error"] = "\(failure)"
        }
        logger.log(level: line.level, line.message, metadata: metadata)
    }

    /// Logs when the source begins to mark its own answers as stale, and when they are fresh again.
    func source(_ before: StaleSource?, _ after: StaleSource?, of snapshot: ProductsSnapshot?, at time: Date) {
        guard let snapshot, before?.staleness != after?.staleness else { return }
        var metadata: Logger.Metadata = [
            "provider": "\(node)", "age_seconds": .stringConvertible(Int(snapshot.age(at: time).components.seconds)),
        ]
        guard let after else {
            return logger.notice("the source gives fresh answers again", metadata: metadata)
        }
        metadata["source"] = "\(after.staleness.rawValue)"
        let status = after.statement.cacheStatus
        if !status.isEmpty { metadata["cache_status"] = "\(status)" }
        logger.warning("the source marks its answers as stale", metadata: metadata)
    }

    /// - Parameter limit: the time that a request has waited.
    func late(isServing: Bool, limit: Duration) {
        logger.warning(
            isServing
                ? "a refresh takes long, serving the last good catalogue" : "a refresh takes long, nothing to serve",
            metadata: ["provider": "\(node)", "limit": "\(limit)"])
    }

    func lateEnded() {
        logger.notice("the refresh that took long has ended", metadata: ["provider": "\(node)"])
    }
}

/// Counts the refreshes of one provider by outcome.
package struct RefreshMeter: Sendable {
    private let counters: [RefreshResult.Outcome: Counter]

    package init(provider: String = "", factory: (any MetricsFactory)? = nil) {
        counters = MetricDescription.refreshes.counters(by: "outcome", [("provider", provider)], in: factory)
    }

    /// Counts a refresh. A substitute from a fallback does not count as a success.
    func record(_ outcome: Result<ProductsAnswer, ProductsFailure>, replacing previous: ProductsSnapshot?) {
        var result = RefreshResult.Outcome.failed
        if case .success(let answer) = outcome, MemoryState.cause(of: outcome) == nil {
            result = answer.snapshot.revision == previous?.revision ? .unchanged : .fetched
        }
        counters[result]?.increment()
    }
}

extension MetricDescription {
    package static let refreshes = MetricDescription(
        "larder_refresh", .counter, "Refreshes of the kept catalogue, by outcome.")
}
