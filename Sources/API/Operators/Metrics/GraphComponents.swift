internal import Analytics
package import Configuration
package import HTTPServer
package import Products
internal import Prometheus
internal import Networking
internal import Persistence
internal import Providers
internal import Wiring

/// The components of one graph with metrics of their own, each with its label in metrics.
package struct GraphComponents: Sendable {
    typealias Labelled<Component> = (label: String, component: Component)

    /// The label of the graph's root.
    let root: String
    let monitors: [Labelled<any ReachabilityMonitor>]
    let stores: [Labelled<any ProductsStore>]
    let sinks: [Labelled<QueuedAnalyticsSink>]
    private let refreshables: [Labelled<any RefreshableProvider>]

    /// - Parameter assembly: the assembly in which the graph with this root was made.
    package init(_ assembly: Assembly, root: ComponentOutline) {
        self.root = ProviderFamily.metricLabel(root.id)
        refreshables = assembly.components(of: ProviderFamily.self).compactMap { outline, instance in
            (instance.unobserved as? any RefreshableProvider).map { (ProviderFamily.metricLabel(outline.id), $0) }
        }
        monitors = assembly.components(of: MonitorFamily.self).map {
            (MonitorFamily.metricLabel($0.outline.id), $0.instance)
        }
        stores = assembly.components(of: StoreFamily.self).map { (StoreFamily.metricLabel($0.outline.id), $0.instance) }
        sinks = assembly.components(of: SinkFamily.self).compactMap { outline, instance in
            (instance as? QueuedAnalyticsSink).map { (SinkFamily.metricLabel(outline.id), $0) }
        }
    }

    /// Has the provider with this label, or all of them, ask again. A refresh under way may have asked too early.
    package func refresh(_ label: String?) async -> [RefreshResult] {
        var results: [RefreshResult] = []
        for (name, provider) in refreshables where label == nil || name == label {
            results += await provider.refresh(RefreshOrder(supersedes: true))
        }
        return results
    }

    /// The states of the providers.
    func reports(in observation: GraphObservation?) -> [Labelled<ProviderReport>] {
        (observation?.reporters ?? []).map { (ProviderFamily.metricLabel($0.id), $0.reporter.report) }
    }
}

/// Reads the counts of a server.
package final class ServerCollector: MetricsCollector {
    /// Weak, because the server's own routes lead here.
    private weak let server: HTTPServer?

    package init(_ server: HTTPServer) {
        self.server = server
    }

    func families() async -> [MetricFamily] {
        guard let server else { return [] }
        let connections = await server.connectionCount()
        let refusals = await server.refusalCounts()
        let handled = await server.handledCounts()
        return [
            MetricFamily(.httpConnections, .count(connections)),
            MetricFamily(
                .httpHandled, "way", [("fast_path", .count(handled.fastPath)), ("evhttp", .count(handled.evhttp))]),
            MetricFamily(
                .httpRejected, "reason",
                HTTPRefusal.allCases.map { ($0.rawValue, .count(refusals[$0, default: 0])) }),
            MetricFamily(.tlsCertificateNotAfter, server.certificateValidUntil.map { .number(Double($0)) }),
        ]
    }
}
