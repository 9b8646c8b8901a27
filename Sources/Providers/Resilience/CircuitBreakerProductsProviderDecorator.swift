internal import Configuration
public import Logging
public import Products

/// Stops asking an upstream that fails, and fails at once in its place.
///
/// It counts what says that the upstream is in trouble: connections that fail, answers that do not come in time, 5xx
/// and 429. Whatever else it answers, be it refused or not readable, shows that it is there; and any answer from below
/// is a good one, also one that a fallback there found. What a caller gave up on does not count at all, so a `timeout`
/// belongs below and not above.
///
/// The decisions are `CircuitBreakerState`'s.
public struct CircuitBreakerProductsProviderDecorator: ProductsProvider {
    private let name: String
    private let upstream: any ProductsProvider
    private let probeLimit: TimeLimit
    private let logger: Logger
    let breaker: KeptState<CircuitBreakerState>

    /// Decorates `upstream`.
    ///
    /// - Parameters:
    ///   - name: the node's name in the log.
    ///   - clock: what pauses, the ratio's window and the probe's deadline are measured by.
    public init(
        name: String = "circuit_breaker", upstream: any ProductsProvider,
        policy: CircuitBreakerPolicy = CircuitBreakerPolicy(), clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.init(
            name: name, upstream: upstream, policy: policy, clock: clock, logger: logger,
            breaker: KeptState(CircuitBreakerState(policy: policy), clock: clock))
    }

    /// Decorates `upstream`, with a state that may have been in use before.
    init(
        name: String, upstream: any ProductsProvider, policy: CircuitBreakerPolicy, clock: any Clock<Duration>,
        logger: Logger, breaker: KeptState<CircuitBreakerState>
    ) {
        self.name = name
        self.upstream = upstream
        probeLimit = TimeLimit(limit: policy.probeTimeout, clock: clock)
        self.logger = logger
        self.breaker = breaker
    }

    /// The upstream's answer; throws `ProductsFailure.circuitOpen` where it is not to be asked.
    public func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        switch breaker.update({ $0.admit(at: $1) }) {
        case .refused(let retryAfter): throw ProductsFailure.circuitOpen(retryAfter: retryAfter)
        case .call(let ticket):
            return try await settling(ticket) { try await upstream.products(for: request) }
        case .probe(let ticket, let isFirst):
            if isFirst {
                logger.notice("circuit breaker half-open, one request tries", metadata: ["provider": "\(name)"])
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
            logger.warning(
                "circuit breaker open, the upstream is left alone",
                metadata: [
                    "provider": "\(name)", "reason": "\(failure.token)", "error": "\(failure)",
                    "open_for": "\(DurationText.format(pause))",
                ])
        case .closed: logger.notice("circuit breaker closed", metadata: ["provider": "\(name)"])
        case nil: break
        }
    }
}

extension CircuitBreakerProductsProviderDecorator: LiveStateReporting {
    /// The stage, the failures in a row, calls and failures of the last 30 seconds, and for how long it stays open.
    public var liveState: [LiveStateEntry] {
        breaker.update { breaker, now in
            [
                LiveStateEntry("state", breaker.stage.rawValue),
                LiveStateEntry("failures_in_a_row", "\(breaker.failuresInARow)"),
                LiveStateEntry("calls", "\(breaker.callCount(at: now))"),
                LiveStateEntry("failures", "\(breaker.failureCount(at: now))"),
                LiveStateEntry("open_for", DurationText.format(breaker.pauseLeft(at: now) ?? .zero)),
            ]
        }
    }
}
