package import Logging
package import Products

/// Passes requests to the graph of one edition and reports their outcomes to the readiness tracker.
///
/// Logs when requests begin to fail and when nothing can be served, unless the failure is that of a `memory`, which logs
/// more about it.
package struct ReadinessReportingProvider: ProductsProvider {
    private let upstream: any ProductsProvider
    private let readiness: ReadinessTracker
    private let edition: Int
    private let logger: Logger

    /// - Parameter edition: the number of the edition.
    package init(upstream: any ProductsProvider, readiness: ReadinessTracker, edition: Int, logger: Logger) {
        self.upstream = upstream
        self.readiness = readiness
        self.edition = edition
        self.logger = logger
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        do {
            let answer = try await upstream.products(for: request)
            readiness.note(answer, of: edition)
            return answer.passingLease(use: { readiness.noteLeased($1, of: edition) }).handingLease()
        } catch {
            report(error)
            throw error
        }
    }

    private func report(_ error: any Error) {
        let news = readiness.noteFailure(error, of: edition)
        if case ProductsFailure.unavailable = error { return }
        switch news {
        case .none: break
        case .doubt:
            logger.warning("the graph fails for requests, others are answered", metadata: ["error": "\(error)"])
        case .empty: logger.warning("the graph fails, nothing to serve", metadata: ["error": "\(error)"])
        }
    }
}

/// Asks the graph while nothing can be served, so that the service becomes ready without a request, and recovers when its
/// catalogue has become too old.
package struct KeepWarm: Sendable {
    /// Not counted by an `analytics` node, since it answers no caller. A refresh that it causes below `memory` is.
    private static let request = ProductsRequest(analyticsOptOut: true)
    private let provider: any ProductsProvider
    private let readiness: ReadinessTracker
    private let clock: any Clock<Duration>
    private let interval: Duration

    /// - Parameters:
    ///   - provider: the graph, which reports its outcomes to `readiness`.
    ///   - interval: the pause between checks of readiness; the graph limits the requests to its upstream.
    package init(
        provider: some ProductsProvider, readiness: ReadinessTracker, clock: any Clock<Duration> = ContinuousClock(),
        interval: Duration = .seconds(1)
    ) {
        self.provider = provider
        self.readiness = readiness
        self.clock = clock
        self.interval = interval
    }

    /// Runs until the task is cancelled.
    package func run() async throws {
        while !Task.isCancelled {
            if case .empty = readiness.verdict { _ = try? await provider.products(for: Self.request) }
            try await clock.sleep(for: interval)
        }
    }
}
