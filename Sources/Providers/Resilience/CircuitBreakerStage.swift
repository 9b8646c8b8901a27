/// Where a circuit breaker stands; the raw value is what operators see.
public enum CircuitBreakerStage: String, Sendable, CaseIterable {
    /// All are let through.
    case closed
    /// Nobody is let through.
    case open
    /// One at a time is let through, to try.
    case halfOpen = "half-open"
}
