package import Networking
package import Products

/// Asks `remote` while the monitor says reachable, else `local`.
///
/// A failure of `remote` passes through; falling back on it is the job of `fallback`.
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
        let problem = monitor.problem
        guard let offline = monitor.offline(because: problem) else {
            return try await monitor.learn(from: remote, request)
        }
        do {
            return try await local.products(for: request)
                .passingLease(ofAnyCatalogue: false, while: { !monitor.isReachable && monitor.problem == problem })
                .preceded(by: [TrailStep(node: name, outcome: .failed(offline))])
        } catch ProductsFailure.notStored {
            // The cause of having nothing.
            throw offline
        }
    }
}

extension ReachabilityProductsProviderStrategy: StateReporting {
    package var report: ProviderReport {
        ProviderReport(entries: [LiveStateEntry("reachable", monitor.isReachable ? "yes" : "no")])
    }
}
