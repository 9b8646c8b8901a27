package import Logging
package import Products

/// The graph of one edition as requests see it: passes everything through, and tells readiness what became of it.
///
/// Logs when requests begin to fail, and when nothing can be served any more, unless `memory` does, which knows more
/// about it.
package struct ReadinessReportingProvider: PromptProductsProvider {
    private let upstream: any ProductsProvider
    /// The provider itself, if it can answer immediately.
    private let prompt: (any PromptProductsProvider)?
    private let readiness: ReadinessTracker
    private let edition: Int
    private let logger: Logger

    /// - Parameter edition: whose graph it is.
    package init(upstream: any ProductsProvider, readiness: ReadinessTracker, edition: Int, logger: Logger) {
        self.upstream = upstream
        prompt = upstream as? any PromptProductsProvider
        self.readiness = readiness
        self.edition = edition
        self.logger = logger
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        do {
            let answer = try await upstream.products(for: request)
            readiness.note(answer, of: edition)
            return answer
        } catch {
            report(error)
            throw error
        }
    }

    package func answerAtHand(for request: ProductsRequest) throws -> ProductsAnswer? {
        do {
            guard let answer = try prompt?.answerAtHand(for: request) else { return nil }
            readiness.note(answer, of: edition)
            return answer
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

/// Asks the graph as long as nothing can be served: at the start, and when what there was has become too old. So the
/// service becomes ready, and heals, without a request.
package struct KeepWarm: Sendable {
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
