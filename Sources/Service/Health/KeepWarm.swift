internal import Products

/// Asks the graph as long as nothing can be served: at the start, and when what there was has become too old. So the
/// service becomes ready, and heals, without a request.
struct KeepWarm: Sendable {
    private let readiness: ReadinessTracker
    private let clock: any Clock<Duration>
    private let interval: Duration

    /// - Parameter interval: how often readiness is looked at; the graph itself decides how often its upstream is asked.
    init(readiness: ReadinessTracker, clock: any Clock<Duration> = ContinuousClock(), interval: Duration = .seconds(1))
    {
        self.readiness = readiness
        self.clock = clock
        self.interval = interval
    }

    /// Runs until the task is cancelled.
    func run() async throws {
        while !Task.isCancelled {
            if case .empty = readiness.verdict { _ = try? await readiness.products(for: ProductsRequest()) }
            try await clock.sleep(for: interval)
        }
    }
}
