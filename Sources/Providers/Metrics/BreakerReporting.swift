/// A circuit breaker that tells how it stands.
///
/// Reading it is for operators and may take a lock; it is never on the path of a request.
public protocol BreakerReporting: Sendable {
    /// Where it stands at this moment.
    var stage: CircuitBreakerStage { get }
}
