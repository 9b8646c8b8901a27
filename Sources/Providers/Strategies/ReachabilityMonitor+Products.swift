internal import Networking
internal import Products

/// The monitor of an upstream that is asked for products.
extension ReachabilityMonitor {
    /// Returns the failure of an upstream that cannot be reached because of a problem of the monitor; nil while it can.
    func offline(because problem: String?) -> ProductsFailure? {
        if isReachable { return nil }
        return .unreachable(.offline, detail: problem.map { "its monitor reports \($0)" } ?? "its monitor says so")
    }

    /// Returns the upstream's answer and records its outcome, also of answers from the lease: a connection that fails counts
    /// like a failed probe.
    func learn(from upstream: any ProductsProvider, _ request: ProductsRequest) async throws -> ProductsAnswer {
        do {
            let answer = try await upstream.products(for: request)
            record(answer.failure)
            return answer.passingLease(ofAnyCatalogue: false, while: { isReachable }, use: { record($1.failure) })
        } catch let failure as ProductsFailure {
            record(failure)
            throw failure
        }
    }

    /// Records an outcome. A failure counts even if a fallback below made it good.
    private func record(_ failure: ProductsFailure?) {
        guard let failure else { return recordSuccess() }
        if failure.isConnectionFailure { recordFailure() }
    }
}
