internal import Products

/// Asks the graph as long as nothing can be served: at the start, and when what there was has become too old. So the
/// service becomes ready, and heals, without a request.
struct KeepWarm: Sendable {
    /// Opts out, since no caller is answered: an `analytics` node does not count it. Below `memory` the refresh that it
    /// causes counts as any other.
    private static let request = ProductsRequest(analyticsOptOut: true)
    private let provider: any ProductsProvider
    private let readiness: ReadinessTracker
    private let clock: any Clock<Duration>
    private let interval: Duration

    /// - Parameters:
    ///   - provider: the graph, which tells `readiness` what it answers.
    ///   - interval: how often readiness is looked at; the graph itself decides how often its upstream is asked.
    init(
        provider: some ProductsProvider, readiness: ReadinessTracker, clock: any Clock<Duration> = ContinuousClock(),
        interval: Duration = .seconds(1)
    ) {
        self.provider = provider
        self.readiness = readiness
        self.clock = clock
        self.interval = interval
    }

    /// Runs until the task is cancelled.
    func run() async throws {
        while !Task.isCancelled {
            if case .empty = readiness.verdict { _ = try? await provider.products(for: Self.request) }
            try await clock.sleep(for: interval)
        }
    }
}
