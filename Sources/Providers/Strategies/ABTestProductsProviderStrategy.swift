package import Products

/// Chooses between two providers by the decision of an A/B test.
///
/// A failure of the chosen arm passes through. With `failover` the other arm answers instead: the trail says so, and a
/// `memory` above prefers a servable catalogue of the own arm. When both fail, the own arm's failure is thrown.
package struct ABTestProductsProviderStrategy: ProductsProvider {
    private let name: String
    private let decision: any ABTestDecision
    private let a: any ProductsProvider
    private let b: any ProductsProvider
    private let failover: Bool

    /// - Parameter failover: whether subjects may get the other arm, which contaminates the experiment.
    package init(
        name: String = "ab_test", decision: any ABTestDecision, a: any ProductsProvider, b: any ProductsProvider,
        failover: Bool = false
    ) {
        (self.name, self.decision, self.failover) = (name, decision, failover)
        (self.a, self.b) = (a, b)
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        let arm = decision.arm(of: request)
        do {
            return try await ask(arm, request).passingLease()
                .adding(TrailStep(node: name, outcome: .chose(role: arm.rawValue)))
        } catch {
            let failure = ProductsFailure(error)
            guard failover, FailureClass(failure) != nil else { throw error }
            let step = TrailStep(node: name, outcome: .substituted(role: arm.other.rawValue))
            guard let answer = try await substitute(arm.other, request) else { throw failure }
            return answer.adding(step).preceded(by: [TrailStep(node: name, outcome: .failed(failure))])
        }
    }

    /// Returns the other arm's answer; nil if that fails too.
    private func substitute(_ arm: ABTestArm, _ request: ProductsRequest) async throws -> ProductsAnswer? {
        do { return try await ask(arm, request) } catch is ProductsFailure { return nil }
    }

    private func ask(_ arm: ABTestArm, _ request: ProductsRequest) async throws -> ProductsAnswer {
        try await (arm == .a ? a : b).products(for: request)
    }
}
