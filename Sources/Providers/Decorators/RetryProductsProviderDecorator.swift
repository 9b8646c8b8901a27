package import Concurrency
package import Products

/// Retries transient failures of the upstream.
///
/// Failed connections, timeouts, 5xx and 429 are retried; a refused or unreadable catalogue, any other status, and a
/// cancellation are not. When the last try fails, its failure is thrown. An answer after a retry has a step on its
/// trail, and counts as a success.
package struct RetryProductsProviderDecorator: ProductsProvider {
    private let name: String
    private let upstream: any ProductsProvider
    private let policy: RetryPolicy
    private let clock: any Clock<Duration>
    private let jitter: JitterSource
    private let budget: TimedState<RetryBudget>

    /// Decorates `upstream`.
    ///
    /// - Parameter clock: measures pauses and the budget's window.
    package init(
        name: String = "retry", upstream: any ProductsProvider, policy: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock(), jitter: JitterSource = .system
    ) {
        self.name = name
        self.upstream = upstream
        self.policy = policy
        self.clock = clock
        self.jitter = jitter
        budget = TimedState(RetryBudget(share: policy.budget), clock: clock)
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        recordCall()
        var number = 1
        while true {
            do {
                let answer = try await upstream.products(for: request)
                if number == 1 { return answer.passingLease(use: { _, _ in recordCall() }) }
                return answer.adding(TrailStep(node: name, outcome: .retried))
            } catch {
                guard let pause = pause(after: ProductsFailure(error), try: number, request) else { throw error }
                try await clock.sleep(for: pause)
                number += 1
            }
        }
    }

    private func recordCall() {
        budget.update { $0.recordCall(at: $1) }
    }

    /// Returns the pause before the next try; nil if there is none. The budget is charged last, only for a retry that
    /// takes place.
    private func pause(after failure: ProductsFailure, try number: Int, _ request: ProductsRequest) -> Duration? {
        guard let pause = policy.pause(after: failure, try: number, jitter: jitter.next()),
            request.deadline.map({ ContinuousClock.now + pause < $0 }) ?? true,
            budget.update({ $0.consumeRetry(at: $1) })
        else { return nil }
        return pause
    }
}

extension RetryProductsProviderDecorator: StateReporting {
    /// Reports calls and retries of the last ten seconds, and how many more retries the budget allows.
    package var report: ProviderReport {
        budget.update { budget, now in
            ProviderReport(entries: [
                LiveStateEntry("calls", "\(budget.callCount(at: now))"),
                LiveStateEntry("retries", "\(budget.retryCount(at: now))"),
                LiveStateEntry("budget_left", "\(budget.left(at: now))"),
            ])
        }
    }
}
