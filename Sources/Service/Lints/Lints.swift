internal import Configuration

/// All rules that a config's graph is checked against.
enum Lints {
    /// Every rule.
    static let all: [any Lint] = [
        NestedRetryLint(), TightDeadlineLint(), ConnectTimeoutLint(), UnreachedBreakerLint(), PatientBreakerLint(),
        InterruptedBreakerLint(), UnkeptMemoryLint(), LongHoldOffLint(), UnreachableArmLint(), UncountedExposureLint(),
        SharedStoreLint(), EventNameLint(), GoogleAnalyticsLint(), UncountedPagesLint(), PlainSecretLint(),
        PlainTransportLint(), RepeatedPartLint(), FutileFallbackLint(),
    ]

    /// What all rules find wrong with the graph below `root`, in any order.
    static func problems(in root: ComponentOutline, registry: ComponentRegistry) -> [Diagnostic] {
        let graph = LintedGraph(root: root, registry: registry)
        return all.flatMap { $0.problems(in: graph) }
    }
}
