package import Concurrency
package import Health
package import Logging
package import Products
internal import Text

/// Stops asking a failing upstream, and fails at once in its place.
///
/// Failed connections, timeouts, 5xx and 429 count as failures. Any other response, even a refused or unreadable one,
/// shows that the upstream is there. Any answer from below counts as a success, even one from a fallback. Calls that
/// the caller cancelled do not count, so a `timeout` belongs below a breaker. A forced refresh passes an open breaker
/// as its probe.
///
/// `CircuitBreakerState` makes the decisions.
package struct CircuitBreakerProductsProviderDecorator: ProductsProvider {
    private let name: String
    private let upstream: any ProductsProvider
    private let probeLimit: TimeLimit
    private let logger: Logger
    private let book: TroubleBook
    let breaker: TimedState<CircuitBreakerState>

    /// Decorates `upstream`.
    ///
    /// - Parameters:
    ///   - clock: measures pauses, the ratio's window and the probe's deadline.
    ///   - wallClock: dates its opening.
    package init(
        name: String = "circuit_breaker", upstream: any ProductsProvider,
        policy: CircuitBreakerPolicy = CircuitBreakerPolicy(), clock: any Clock<Duration> = ContinuousClock(),
        wallClock: WallClock = .system, logger: Logger
    ) {
        book = TroubleBook(wallClock: wallClock)
        self.name = name
        self.upstream = upstream
        probeLimit = TimeLimit(limit: policy.probeTimeout, clock: clock)
        self.logger = logger
        breaker = TimedState(CircuitBreakerState(policy: policy), clock: clock)
    }

    /// Returns the upstream's answer; throws `ProductsFailure.circuitOpen` while the breaker is open.
    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let isForced = request.order?.isForced ?? false
        switch breaker.update({ $0.admit(at: $1, isForced: isForced) }) {
        case .refused(let retryAfter): throw ProductsFailure.circuitOpen(retryAfter: retryAfter)
        case .call(let ticket):
            return try await settling(ticket) { try await upstream.products(for: request) }
        case .probe(let ticket, let isFirst):
            if isFirst {
                logger.notice("circuit breaker half-open, probing with one request", metadata: ["provider": "\(name)"])
            }
            return try await settling(ticket) { try await probeLimit.answer(of: upstream, to: request) }
        }
    }

    private func settling(
        _ ticket: CircuitBreakerState.Ticket, _ ask: () async throws -> ProductsAnswer
    ) async throws -> ProductsAnswer {
        do {
            let answer = try await ask()
            finish(ticket, nil)
            return answer
        } catch {
            finish(ticket, ProductsFailure(error))
            throw error
        }
    }

    private func finish(_ ticket: CircuitBreakerState.Ticket, _ failure: ProductsFailure?) {
        switch breaker.update({ $0.finish(ticket, failure, at: $1) }) {
        case .opened(let failure, let pause):
            book.record(.breaker, "open: \(failure)")
            logger.warning(
                "circuit breaker open, not asking the upstream",
                metadata: [
                    "provider": "\(name)", "reason": "\(failure.token)", "error": "\(failure)",
                    "open_for": "\(DurationText.format(pause))",
                ])
        case .closed:
            book.record(.breaker, nil)
            logger.notice("circuit breaker closed", metadata: ["provider": "\(name)"])
        case nil: break
        }
    }
}

extension CircuitBreakerProductsProviderDecorator: TroubleReporting {
    package var troubles: [Trouble] { book.troubles }
}

extension CircuitBreakerProductsProviderDecorator: StateReporting {
    /// Reports the stage, the failures in a row, calls and failures of the last 30 seconds, and the rest of the pause.
    /// The stage stays open after the pause until the next request.
    package var report: ProviderReport {
        breaker.update { breaker, now in
            let entries = [
                LiveStateEntry("state", breaker.stage.rawValue),
                LiveStateEntry("failures_in_a_row", "\(breaker.failuresInARow)"),
                LiveStateEntry("calls", "\(breaker.callCount(at: now))"),
                LiveStateEntry("failures", "\(breaker.failureCount(at: now))"),
                LiveStateEntry("open_for", DurationText.format(breaker.pauseLeft(at: now) ?? .zero)),
            ]
            return ProviderReport(entries: entries, breaker: breaker.stage)
        }
    }
}
