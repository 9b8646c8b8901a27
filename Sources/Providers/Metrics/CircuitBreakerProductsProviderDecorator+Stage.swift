extension CircuitBreakerProductsProviderDecorator: BreakerReporting {
    /// Open also when the pause is over and nobody has asked since.
    public var stage: CircuitBreakerStage { breaker.update { breaker, _ in breaker.stage } }
}
