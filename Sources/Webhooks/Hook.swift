package import Concurrency
package import Configuration
package import CoreMetrics
package import HTTPServer
package import Logging
package import Networking
package import Products
package import Prometheus

/// The rules of a webhook.
package struct HookRules: Sendable {
    package let name: String
    package let signature: HookSignature
    let credential: @Sendable (Assembly) -> Credential
    /// The time before each further refresh.
    let settle: [Duration]
    /// The time for which deliveries are remembered, and the greatest age of a delivery.
    package let window: Duration
    package let maxBody: Int
    /// The label of the provider that is refreshed; nil for all that keep answers.
    package let node: String?

    package init(
        name: String, signature: HookSignature, credential: @escaping @Sendable (Assembly) -> Credential,
        settle: [Duration], window: Duration, maxBody: Int, node: String?
    ) {
        (self.name, self.signature, self.credential) = (name, signature, credential)
        (self.settle, self.window, self.maxBody, self.node) = (settle, window, maxBody, node)
    }
}

/// The parts of the service that webhooks use.
package struct HookEnvironment: Sendable {
    /// The resources that credentials need.
    let resources: ComponentResources
    let metrics: any MetricsFactory
    let logger: Logger
    let wallClock: WallClock
    let clock: any Clock<Duration>

    package init(
        resources: ComponentResources, metrics: any MetricsFactory, logger: Logger, wallClock: WallClock,
        clock: any Clock<Duration>
    ) {
        (self.resources, self.metrics, self.logger) = (resources, metrics, logger)
        (self.wallClock, self.clock) = (wallClock, clock)
    }
}

extension MetricDescription {
    package static let hooks = MetricDescription(
        "larder_hooks", .counter, "Requests for webhooks, by hook and outcome.")
}

/// A webhook in force. Decides about its requests, and counts them.
package final class Hook: Sendable {
    package enum Outcome: String, Sendable, CaseIterable {
        case accepted, replayed, ping, forged, stale, oversized
    }

    package let rules: HookRules
    let series: HookSeries
    package let credential: Credential
    /// Outlives a reload.
    private let replays: ReplayMemory
    /// Outlives a reload.
    private let unfinished: UnfinishedSeries
    private let counters: [Outcome: Counter]
    private let refusals: PacedReports
    private let logger: Logger

    /// - Parameters:
    ///   - previous: the webhook of this name before a reload.
    ///   - refresh: asks the upstream once.
    package init(
        _ rules: HookRules, _ environment: HookEnvironment, replacing previous: Hook? = nil,
        refresh: @escaping @Sendable () async -> [RefreshResult]
    ) {
        self.rules = rules
        let (name, logger, clock) = (rules.name, environment.logger, environment.clock)
        self.logger = logger
        credential = rules.credential(Assembly(resources: environment.resources))
        replays = previous?.replays ?? ReplayMemory(clock: clock)
        refusals = previous?.refusals ?? PacedReports(clock: clock)
        unfinished = previous?.unfinished ?? UnfinishedSeries()
        series = HookSeries(
            pauses: rules.settle, clock: clock, unfinished: unfinished, refresh: refresh
        ) { looks, end in
            var metadata: Logger.Metadata = ["hook": "\(name)", "looks": .stringConvertible(looks)]
            switch end {
            case .changed(let revision):
                metadata["revision"] = "\(revision)"
                logger.info("hook received, catalogue changed", metadata: metadata)
            case .unchanged: logger.info("hook received, catalogue unchanged", metadata: metadata)
            case .failed(let failure):
                metadata["error"] = "\(failure)"
                logger.warning("hook received, last refresh failed", metadata: metadata)
            }
        }
        counters = MetricDescription.hooks.counters(by: "outcome", [("hook", name)], in: environment.metrics)
    }

    /// Carries out the refreshes, until it is cancelled.
    package var job: BackgroundJob {
        BackgroundJob(name: "hook \(rules.name)", owner: "hooks.\(rules.name)", run: series.run)
    }

    /// Begins a series of refreshes, unless the delivery is known.
    package func accept(_ claim: HookClaim) {
        // The time of sending may differ in both directions, so a delivery is recent for up to two windows.
        let window = claim.sentAt == nil ? rules.window : rules.window * 2
        guard replays.remember(claim.delivery, for: window) else { return count(.replayed) }
        count(.accepted)
        series.begin()
    }

    package func count(_ outcome: Outcome) { counters[outcome]?.increment() }

    /// Counts a refused request, and logs it at most once a minute.
    package func refuse(_ request: HTTPRequest, _ outcome: Outcome) {
        count(outcome)
        guard let count = refusals.count() else { return }
        logger.warning(
            "hook refused",
            metadata: [
                "hook": "\(rules.name)", "outcome": "\(outcome.rawValue)", "remote": "\(request.client)",
                "refused": .stringConvertible(count),
            ])
    }
}
