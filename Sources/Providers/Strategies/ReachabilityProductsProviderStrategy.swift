package import Networking
package import Products

/// Asks `remote` while the monitor says reachable, else `local`.
///
/// The monitor learns the outcome of real requests: a connection that fails counts like a failed probe. A failure of
/// `remote` passes through; falling back on it is the job of `fallback`.
package struct ReachabilityProductsProviderStrategy: ProductsProvider {
    private let name: String
    private let monitor: any ReachabilityMonitor
    private let remote: any ProductsProvider
    private let local: any ProductsProvider

    package init(
        name: String = "reachability", monitor: any ReachabilityMonitor, remote: any ProductsProvider,
        local: any ProductsProvider
    ) {
        (self.name, self.monitor, self.remote, self.local) = (name, monitor, remote, local)
    }

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        guard monitor.isReachable else { return try await localAnswer(for: request) }
        do {
            let answer = try await remote.products(for: request)
            record(answer.failure)
            return answer
        } catch let failure as ProductsFailure {
            record(failure)
            throw failure
        }
    }

    /// Asks `local`. If that has nothing stored, the cause is thrown: the remote is unreachable.
    private func localAnswer(for request: ProductsRequest) async throws -> ProductsAnswer {
        let problem = monitor.problem.map { "its monitor reports \($0)" }
        let offline = ProductsFailure.unreachable(.offline, detail: problem ?? "its monitor says so")
        do {
            return try await local.products(for: request)
                .preceded(by: [TrailStep(node: name, outcome: .failed(offline))])
        } catch ProductsFailure.notStored {
            throw offline
        }
    }

    /// Reports an outcome to the monitor. A failure counts even if a fallback below `remote` made it good.
    private func record(_ failure: ProductsFailure?) {
        guard let failure else { return monitor.recordSuccess() }
        if failure.isConnectionFailure { monitor.recordFailure() }
    }
}

extension ReachabilityProductsProviderStrategy: StateReporting {
    package var report: ProviderReport {
        ProviderReport(entries: [LiveStateEntry("reachable", monitor.isReachable ? "yes" : "no")])
    }
}
