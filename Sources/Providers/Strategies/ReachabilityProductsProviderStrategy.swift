package import Configuration
internal import Networking
package import Products

/// Asks `remote` while the monitor says reachable, else `local`.
///
/// The monitor learns the outcome of real requests: a connection that fails counts like a failed probe. A failure of
/// `remote` passes through; falling back on it is the job of `fallback`.
package struct ReachabilityProductsProviderStrategy: ProductsProvider {
    package static let spec = ComponentSpec<ProviderFamily>(
        type: "reachability",
        summary: "remote while the monitor says reachable, else local",
        fields: [
            .required("monitor", .component(MonitorFamily.self), "what says whether remote can be reached"),
            .required("remote", .component(ProviderFamily.self), "asked while it can"),
            .required("local", .component(ProviderFamily.self), "asked while it cannot"),
        ],
        example: """
            { type: reachability, monitor: { type: tcp, address: "shop.example:80" }, \
            remote: { type: http, request: { base_url: "http://shop.example" } }, \
            local: { type: file, path: bundled.json } }
            """,
        plan: { reader in
            let monitor = reader.component("monitor", MonitorFamily.self)
            let remote = reader.component("remote", ProviderFamily.self)
            let local = reader.component("local", ProviderFamily.self)
            let name = reader.name
            return { assembly in
                ReachabilityProductsProviderStrategy(
                    name: name, monitor: try monitor.instantiate(in: assembly),
                    remote: try remote.instantiate(in: assembly), local: try local.instantiate(in: assembly))
            }
        })

    var name = "reachability"
    let monitor: any ReachabilityMonitor
    let remote: any ProductsProvider
    let local: any ProductsProvider

    package func products(for request: ProductsRequest) async throws -> ProductsAnswer {
        guard monitor.isReachable else { return try await localAnswer(for: request) }
        do {
            let answer = try await remote.products(for: request)
            record(answer.failure)
            return answer.passingLease(while: { monitor.isReachable }, use: { record($1.failure) })
        } catch let failure as ProductsFailure {
            record(failure)
            throw failure
        }
    }

    /// Asks `local`. If that has nothing stored, the cause is thrown: the remote is unreachable.
    private func localAnswer(for request: ProductsRequest) async throws -> ProductsAnswer {
        let problem = monitor.problem
        let detail = problem.map { "its monitor reports \($0)" } ?? "its monitor says so"
        let offline = ProductsFailure.unreachable(.offline, detail: detail)
        do {
            return try await local.products(for: request)
                .passingLease(while: { !monitor.isReachable && monitor.problem == problem })
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
