package import Concurrency
package import CoreMetrics
internal import Hashing
package import Logging
package import Networking
internal import Products
package import Prometheus
package import Text

/// Reads a list, and then the members that each of its items has at a URL of its own.
///
/// The values are kept in memory, one for each member and URL of the last list. An item whose stamp is unchanged needs no
/// request; for any other its members are asked for by their validators. A failed refresh keeps the values that it fetched.
package final class ExpandedCollectionDataSource: CollectionDataSource {
    private let upstream: any CollectionDataSource
    private let expansion: ItemExpansion
    private let fetcher: any CollectionFetcher
    private let pace: RequestPace
    private let meter: ExpansionMeter
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let label: String
    private let progress: ExpansionProgress?
    private let secrets: @Sendable () -> [Secret]
    private let kept = Mutex<[ExpansionPlan.Key: ExpandedValue]>([:])

    /// - Parameters:
    ///   - fetcher: sends the requests for members; the headers and limits are those of the list.
    ///   - clock: times the rate and the timeout.
    ///   - label: the provider in metrics and the log.
    ///   - secrets: removed from the log.
    package init(
        _ upstream: any CollectionDataSource, _ expansion: ItemExpansion, fetcher: any CollectionFetcher,
        clock: any Clock<Duration> = ContinuousClock(), label: String = "http",
        logger: Logger = Logger(label: "http") { _ in SwiftLogNoOpLogHandler() },
        metrics: (any MetricsFactory)? = nil, progress: ExpansionProgress? = nil,
        secrets: @escaping @Sendable () -> [Secret] = { [] }
    ) {
        (self.upstream, self.expansion, self.fetcher, self.clock) = (upstream, expansion, fetcher, clock)
        (self.logger, self.label, self.progress, self.secrets) = (logger, label, progress, secrets)
        pace = RequestPace(expansion.rate, clock: clock)
        meter = ExpansionMeter(provider: label, metrics)
    }

    package var collection: CollectionResource { upstream.collection }

    package func read(
        unless entityTag: String?, adding headers: [HTTPHeader], wallClock: WallClock
    ) async throws -> CollectionReading {
        // Without stamps, members may change while the list does not.
        let entityTag = expansion.changedBy.isEmpty ? nil : entityTag
        let reading = try await upstream.read(unless: entityTag, adding: headers, wallClock: wallClock)
        guard let content = reading.content else {
            meter.record(.reused, count: kept.withLock { $0.count })
            return reading
        }
        let sender = ExpansionSender(
            collection: collection, fetcher: fetcher, pace: pace, meter: meter, headers: headers,
            wallClock: wallClock, progress: progress)
        return try await offLoop { [self] in try await expanded(reading, content, sender) }
    }

    private func expanded(
        _ list: CollectionReading, _ content: CollectionContent, _ sender: ExpansionSender
    ) async throws -> CollectionReading {
        // The decoder reports a document without items.
        guard let items = content.items(of: collection) else { return list }
        let plan = ExpansionPlan(items, expansion, idPaths: collection.idPaths)
        let known = known(for: plan)
        if let fault = plan.faults.first, expansion.onFailure != .omit { throw fault }
        let open = plan.requests.indices.filter { index in
            known[plan.requests[index].key]?.isCurrent(by: plan.requests[index].stamp) != true
        }
        meter.record(.reused, count: plan.requests.count - open.count)
        let result = try await result(of: ExpansionRun(plan, expansion, knowing: known, open: open, sender: sender))
        report(plan.faults + result.failures.sorted { $0.key < $1.key }.map(\.value))
        let values = plan.requests.indices.map { index in
            result.values[index]
                ?? (result.failures[index] == nil || expansion.onFailure == .keep
                    ? known[plan.requests[index].key] : nil)
        }
        var reading = list
        for other in result.readings { reading.join(other) }
        let (expanded, digest) = plan.expanded(with: values)
        let isComplete = plan.isStamped && result.failures.isEmpty
        reading.content = CollectionContent(
            body: .items(expanded), digest: ContentDigest(of: content.digest.bytes + digest),
            entityTag: isComplete ? content.entityTag : nil)
        return reading
    }

    /// Returns the kept values of a list's members, and drops all others.
    private func known(for plan: ExpansionPlan) -> [ExpansionPlan.Key: ExpandedValue] {
        let wanted = Set(plan.requests.map(\.key))
        return kept.withLock { kept in
            kept = kept.filter { wanted.contains($0.key) }
            return kept
        }
    }

    /// Runs the requests until the timeout, after which none begins and those under way are cancelled.
    private func result(of run: ExpansionRun) async throws -> ExpansionRun.Result {
        let count = run.unansweredCount
        if count == 0 { return ExpansionRun.Result() }
        typealias Outcome = Result<ExpansionRun.Result, any Error>
        let outcome = await firstOutcome(within: expansion.timeout, clock: clock) { () -> Outcome in
            do {
                return .success(
                    try await offLoop { [self] in
                        try await run.result { key, value in self.kept.withLock { $0[key] = value } }
                    })
            } catch {
                return .failure(error)
            }
        }
        if let outcome { return try outcome.get() }
        if Task.isCancelled { throw CancellationError() }
        let open = run.unansweredCount
        logger.warning(
            "members of products were not fetched in time",
            metadata: ["provider": "\(label)", "fetched": "\(count - open)", "unanswered": "\(open)"])
        throw run.lateness
    }

    /// Logs the failures that the policy tolerates, once a refresh.
    private func report(_ failures: [ProductsFailure]) {
        guard let first = failures.first else { return }
        let revealed = secrets().map { $0.reveal() }
        logger.warning(
            "members of products could not be fetched",
            metadata: [
                "provider": "\(label)", "members": "\(failures.count)",
                "instead": expansion.onFailure == .keep ? "the last values" : "none",
                "first": "\(first.redacting(revealed))",
            ])
    }
}

/// Counts the members of items that have a URL of their own.
struct ExpansionMeter: Sendable {
    enum Outcome: String, Sendable, CaseIterable {
        case fetched
        case notModified = "not-modified"
        case reused
        case failed
    }

    private let counters: [Outcome: Counter]

    init(provider: String, _ factory: (any MetricsFactory)?) {
        counters = MetricDescription.expandedMembers.counters(by: "outcome", [("provider", provider)], in: factory)
    }

    func record(_ outcome: Outcome, count: Int = 1) {
        counters[outcome]?.increment(by: count)
    }
}

extension MetricDescription {
    package static let expandedMembers = MetricDescription(
        "larder_expanded_members", .counter,
        "Members of products that have a URL of their own, by outcome: all but reused ones took a request.")
}
