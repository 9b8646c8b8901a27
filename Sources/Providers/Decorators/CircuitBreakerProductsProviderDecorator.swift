public import Configuration
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

extension CircuitBreakerProductsProviderDecorator {
    /// `type: circuit_breaker` in the `providers:` section.
    public static let spec = ComponentSpec<ProviderFamily>(
        type: "circuit_breaker",
        summary: "stops asking a failing upstream, and tries it with one request when the pause is over",
        fields: [
            .required("upstream", .component(ProviderFamily.self), "the provider that is asked"),
            .defaulted("failures", .integer, "5", "opens after so many failures in a row"),
            .defaulted(
                "ratio", .ratio, "0.5", "opens too when this share of the calls of the last 30s, 10 at least, failed"),
            .defaulted("open_for", .duration, "10s", "the pause; doubles up to 60s with every try that fails"),
            .defaulted("probe_timeout", .duration, "5s", "how long the request may take that tries"),
        ],
        example: """
            { type: circuit_breaker, failures: 5, open_for: 10s, \
            upstream: { type: http, request: { base_url: "http://shop.example" } } }
            """,
        plan: { reader in
            let upstream = reader.component("upstream", ProviderFamily.self)
            let policy = policy(reader)
            let name = reader.name
            return { assembly in
                let clock = ContinuousClock()
                return CircuitBreakerProductsProviderDecorator(
                    name: name, upstream: try upstream.instantiate(in: assembly), policy: policy, clock: clock,
                    logger: assembly.resource(Logger.self),
                    breaker: assembly.state(ifUnchanged: .branch) {
                        KeptState(CircuitBreakerState(policy: policy), clock: clock)
                    })
            }
        })

    private static func policy(_ reader: FieldReader) -> CircuitBreakerPolicy {
        let policy = CircuitBreakerPolicy(
            failures: reader.integer("failures", in: 1...), ratio: reader.ratio("ratio"),
            openFor: reader.duration("open_for", in: .milliseconds(1)...),
            probeTimeout: reader.duration("probe_timeout", in: .milliseconds(1)...))
        if policy.ratio == 0 {
            reader.report(.error, at: "ratio", "\"ratio\": at 0 the breaker would open without a failure")
        }
        return policy
    }
}

extension CircuitBreakerProductsProviderDecorator: BreakerReporting {
    /// Open also when the pause is over and nobody has asked since.
    public var stage: CircuitBreakerStage { breaker.update { breaker, _ in breaker.stage } }
}

/// A circuit breaker that tells how it stands.
///
/// Reading it is for operators and may take a lock; it is never on the path of a request.
public protocol BreakerReporting: Sendable {
    /// Where it stands at this moment.
    var stage: CircuitBreakerStage { get }
}
