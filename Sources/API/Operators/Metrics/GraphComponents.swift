internal import Analytics
internal import Concurrency
package import Configuration
internal import Fleet
package import HTTPServer
internal import Health
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
    /// The stores that several replicas share, each with its id.
    let fleets: [(id: String, label: String, store: any FleetReporting)]
    /// The names of the providers in metrics, by their ids.
    package let labels: [String: String]
    private let reporters: [Labelled<any TroubleReporting>]
    /// The parts of the process beside the graph.
    private let process: TroubleReporters?

    /// - Parameter assembly: the assembly in which the graph with this root was made.
    package init(_ assembly: Assembly, root: ComponentOutline) {
        self.root = root.metricLabel
        monitors = assembly.components(of: MonitorFamily.self).map {
            ($0.outline.metricLabel, $0.instance)
        }
        stores = assembly.components(of: StoreFamily.self).map { ($0.outline.metricLabel, $0.instance) }
        sinks = assembly.components(of: SinkFamily.self).compactMap { outline, instance in
            (instance as? QueuedAnalyticsSink).map { (outline.metricLabel, $0) }
        }
        fleets = assembly.components(of: StoreFamily.self).compactMap { outline, instance in
            (instance as? any FleetReporting).map { (outline.id, outline.metricLabel, $0) }
        }
        labels = Dictionary(
            assembly.components(of: ProviderFamily.self).map { ($0.outline.id, $0.outline.metricLabel) }
        ) { $1 }
        let providers = assembly.components(of: ProviderFamily.self).map { outline, instance in
            (label: outline.metricLabel, component: instance.unobserved as Any)
        }
        let sinks = assembly.components(of: SinkFamily.self).map { outline, instance in
            (label: outline.metricLabel, component: instance as Any)
        }
        let others = stores.map { ($0.label, $0.component as Any) } + monitors.map { ($0.label, $0.component as Any) }
        reporters = (providers + sinks + others).compactMap { label, component in
            (component as? any TroubleReporting).map { (label, $0) }
        }
        process = assembly.optionalResource(TroubleReporters.self)
    }

    /// All known troubles of the graph and of the process, by their kinds: the only list of them.
    ///
    /// - Parameter failing: the providers whose refreshes fail, which say more than a cache below them that asks its
    ///   upstream behind a pin.
    func troubles(failing: [FailingUpstream]) -> [Trouble] {
        let upstreams = failing.map { upstream in
            Trouble(
                .upstream, part: upstream.provider, cause: "\(upstream.trouble.failure)", since: upstream.trouble.since)
        }
        let others = reporters.flatMap { label, reporter in
            reporter.troubles.map { trouble in
                var trouble = trouble
                trouble.part = label
                return trouble
            }
        }
        let all = upstreams + others.filter { $0.kind != .upstream || failing.isEmpty } + (process?.troubles ?? [])
        return Trouble.Kind.allCases.flatMap { kind in all.filter { $0.kind == kind } }
    }

    /// The states of the providers.
    func reports(in observation: GraphObservation?) -> [Labelled<ProviderReport>] {
        (observation?.reporters ?? []).map { (labels[$0.id] ?? $0.id, $0.reporter.report) }
    }

    /// The states of the shared stores, without their replicas.
    var sharedStores: [SharedStoreReport] {
        fleets.map { SharedStoreReport(id: $0.id, label: $0.label, $0.store.report) }
    }

    /// The states of the shared stores, with the replicas that are known within this time.
    func sharedStores(within limit: Duration) async -> [SharedStoreReport] {
        var reports = sharedStores
        for index in fleets.indices where reports[index].fleet.isConnected {
            reports[index].replicas = await firstOutcome(within: limit) { [store = fleets[index].store] in
                await store.replicas()
            }
        }
        return reports
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
