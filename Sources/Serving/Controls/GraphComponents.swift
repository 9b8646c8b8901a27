package import Analytics
internal import Concurrency
package import Configuration
package import Fleet
package import FoundationEssentials
package import Health
package import JSON
package import Networking
package import Persistence
internal import Products
package import Providers
internal import Wiring

/// The components of one graph with metrics of their own, each with its label in metrics.
package struct GraphComponents: Sendable {
    package typealias LabelledComponent<Component> = (label: String, component: Component)

    /// The label of the graph's root.
    package let root: String
    package let monitors: [LabelledComponent<any ReachabilityMonitor>]
    package let stores: [LabelledComponent<any ProductsStore>]
    package let sinks: [LabelledComponent<QueuedAnalyticsSink>]
    /// The stores that several replicas share, each with its id.
    let fleets: [(id: String, label: String, store: any FleetReporting)]
    /// The providers that report their state, in the order of their ids.
    package let states: [LabelledComponent<any StateReporting>]
    private let reporters: [LabelledComponent<any TroubleReporting>]
    /// The parts of the process outside the graph.
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
        let made = assembly.components(of: ProviderFamily.self)
        states = made.sorted { $0.outline.id < $1.outline.id }.compactMap { outline, instance in
            (instance.unobserved as? any StateReporting).map { (outline.metricLabel, $0) }
        }
        let providers = made.map { (label: $0.outline.metricLabel, component: $0.instance.unobserved as Any) }
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
    /// - Parameter failing: the providers whose refreshes fail.
    package func troubles(failing: [FailingUpstream]) -> [Trouble] {
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
        let all = upstreams + others + (process?.troubles ?? [])
        return Trouble.Kind.allCases.flatMap { kind in all.filter { $0.kind == kind } }
    }

    /// The states of the providers.
    package var reports: [LabelledComponent<ProviderReport>] { states.map { ($0.label, $0.component.report) } }

    /// The states of the shared stores, without their replicas.
    package var sharedStores: [SharedStoreReport] {
        fleets.map { SharedStoreReport(id: $0.id, label: $0.label, $0.store.report) }
    }

    /// The states of the shared stores, with the replicas that respond within this time.
    package func sharedStores(within limit: Duration) async -> [SharedStoreReport] {
        var reports = sharedStores
        for index in fleets.indices where reports[index].fleet.isConnected {
            reports[index].replicas = await firstOutcome(within: limit) { [store = fleets[index].store] in
                await store.replicas()
            }
        }
        return reports
    }
}

/// The state of one shared store, as this replica sees it.
package struct SharedStoreReport: Sendable {
    package let id: String
    package let label: String
    package let fleet: FleetReport
    /// The replicas that are known; nil if the store cannot list them now.
    package var replicas: [FleetReport.Replica]?
    /// The memories and stores before this store, from the clients' side on, and the store itself.
    package var tiers: [String] = []

    package init(id: String, label: String, _ fleet: FleetReport) {
        (self.id, self.label, self.fleet) = (id, label, fleet)
    }

    /// The replica that has the turn to refresh; nil if unknown.
    package var holder: String? { fleet.holdsTurn ? fleet.name : replicas?.first(where: \.holdsTurn)?.name }

    /// Whether it needs an operator's attention.
    package var isTroubled: Bool {
        !fleet.isConnected || fleet.isFormer || fleet.lag > FleetReport.longestLag || !fleet.troubles.isEmpty
    }

    /// `shared: connected, generation 41, 12 s behind`, or
    /// `shared: not connected: connection refused for 4m (since 06:36:32 UTC), generation 41`.
    package func text(at time: Date) -> String {
        var parts = fleet.troubles.map { trouble in
            "\(FailingUpstream.inOneLine(trouble.cause)) for \(TroubleTime(trouble.since, at: time))"
        }
        if fleet.isConnected { parts.insert("connected", at: 0) }
        if parts.isEmpty { parts = ["not connected"] }
        if let served = fleet.served, served.generation > 0 { parts.append("generation \(served.generation)") }
        if fleet.lag >= .seconds(1) { parts.append("\(fleet.lag.components.seconds) s behind") }
        if fleet.isFormer { parts.append("a catalogue of another configuration") }
        return "\(label): \(parts.joined(separator: ", "))"
    }

    /// The member of `shared_stores` of `/graph`.
    package var json: JSONObject {
        [
            "store": .string(label), "tiers": .array(tiers.map { .string($0) }),
            "connected": .bool(fleet.isConnected), "replica": .string(fleet.name),
            "holder": holder.map { .string($0) } ?? .null,
            "generation": fleet.served.map { .count($0.generation) } ?? .null,
            "revision": fleet.served.map { .string($0.revision) } ?? .null,
            "lag_seconds": .seconds(fleet.lag), "another_configuration": .bool(fleet.isFormer),
            "pin": fleet.pin.map { .object($0.json) } ?? .null,
            "newest": fleet.pointer.map { .object($0.json) } ?? .null,
            "replicas": replicas.map { .array($0.map { .object($0.json) }) } ?? .null,
        ]
    }
}

extension CataloguePointer {
    /// When the catalogue was committed, by the clock of the storage.
    package var checked: Date { Date(timeIntervalSince1970: Double(checkedAt) / 1000) }

    fileprivate var json: JSONObject {
        [
            "generation": .count(generation), "revision": .string(revision), "products": .count(count),
            "bytes": .count(bytes), "checked_at": .string(checked.formatted(.iso8601)), "writer": .string(writer),
        ]
    }
}

extension FleetReport.Replica {
    fileprivate var json: JSONObject {
        [
            "name": .string(name), "generation": .count(generation), "revision": .string(revision),
            "holds_lease": .bool(holdsTurn), "lag_seconds": .seconds(lag), "silence_seconds": .seconds(silence),
        ]
    }
}
