package import Concurrency
package import Configuration
internal import Fleet
internal import FoundationEssentials
internal import HTTPServer
internal import JSON
internal import Products
package import Providers
internal import Wiring

/// `GET /graph`: the graph at work, as JSON; for browsers, and at `/graph.html`, as a page.
package struct GraphHandler: HTTPHandler, QueryReading {
    let graph: ServedGraph
    let controls: GraphControls
    let components: GraphComponents
    let readiness: ReadinessTracker
    let wallClock: WallClock
    /// Whether every client gets the page.
    let isPage: Bool

    package init(
        graph: ServedGraph, controls: GraphControls, components: GraphComponents, readiness: ReadinessTracker,
        wallClock: WallClock, isPage: Bool = false
    ) {
        self.graph = graph
        self.controls = controls
        self.components = components
        self.readiness = readiness
        self.wallClock = wallClock
        self.isPage = isPage
    }

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        _ = try query(of: request, taking: [])
        return .pending {
            async let state = controls.state()
            async let shared = components.sharedStores(within: GraphControls.glance)
            let failing = readiness.failing
            let report = GraphReport(
                graph, readiness.verdict, failing: failing, operators: await state, sharedStores: await shared,
                troubles: components.troubles(failing: failing), at: wallClock.now())
            return isPage || wantsPage(request) ? try page(report) : json(report)
        }
    }

    private func json(_ report: GraphReport) -> HTTPResponse {
        HTTPResponse(
            status: .ok,
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store", "Vary": "Accept"],
            body: HTTPBody(bytes: JSONValue.object(report.json).encoded()))
    }

    private func page(_ report: GraphReport) throws -> HTTPResponse {
        var headers: HTTPHeaderBlock = [
            "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Vary": "Accept",
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
        ]
        try headers.append("Content-Security-Policy", GraphPage.policy)
        return HTTPResponse(status: .ok, headers: headers, body: HTTPBody(text: GraphPage(report).html))
    }

    /// Whether the client names HTML, as browsers do; a client that accepts anything gets JSON.
    private func wantsPage(_ request: HTTPRequest) -> Bool {
        AcceptedTypes(request.preferences("Accept")).weight(of: ["text/html"]) > 0
    }
}

/// The graph in force, for operators.
package struct ServedGraph: Sendable {
    let outline: ComponentOutline
    let config: ConfigIdentity
    let observation: GraphObservation

    /// - Parameter observation: nil for a graph that is shown without any calls.
    package init(
        _ outline: ComponentOutline, _ observation: GraphObservation? = nil, config: ConfigIdentity,
        wallClock: WallClock
    ) {
        self.outline = outline
        self.config = config
        self.observation = observation ?? GraphObservation(root: outline.id, wallClock: wallClock)
    }
}

/// The identity of a config, for telling replicas and editions apart.
package struct ConfigIdentity: Sendable, Hashable {
    /// 1 at the start, one more with each reload.
    let edition: Int
    /// The SHA-256 of the config file, in hexadecimal digits.
    let hash: String

    package init(edition: Int, hash: String) {
        self.edition = edition
        self.hash = hash
    }
}

/// Finds the ways from the root of a graph to its stores.
struct GraphTiers {
    private let nodes: [String: GraphReport.Node]
    private let uses: [String: [GraphReport.Edge]]

    init(_ nodes: [GraphReport.Node], _ edges: [GraphReport.Edge]) {
        self.nodes = Dictionary(uniqueKeysWithValues: nodes.map { ($0.outline.id, $0) })
        uses = Dictionary(grouping: edges, by: \.from)
    }

    /// The names of the memories and stores on the first way to a store, and its own; nil where there is no way.
    func labels(from id: String, to store: String) -> [String]? {
        if id == store { return [name(id)] }
        let used = uses[id, default: []]
        let own = used.map(\.to).filter(isStore)
        if own.contains(store) { return [name(store)] }
        for edge in used where !isStore(edge.to) {
            guard let rest = labels(from: edge.to, to: store) else { continue }
            let isMemory = nodes[id]?.outline.type == MemoryProductsProviderDecorator.spec.type
            return (isMemory ? [name(id)] : own.map(name)) + rest
        }
        return nil
    }

    private func isStore(_ id: String) -> Bool { nodes[id]?.outline.family == StoreFamily.noun }

    private func name(_ id: String) -> String { nodes[id]?.outline.name ?? id }
}

extension GraphControls {
    /// The longest time for which a page, a probe or a scrape waits for a store.
    static let glance = Duration.milliseconds(250)

    /// Reads the state of all stores and gates. A store that does not know of pins, since its disk does not answer, is left
    /// out. Calls join a read under way: clients ask for it as well, by probes.
    func state() async -> ControlState {
        await look.joined { await readState() }
    }

    private func readState() async -> ControlState {
        let stores = await withTaskGroup(of: (Int, ControlState.Store?).self) { group in
            for (index, history) in histories.enumerated() {
                group.addTask {
                    if let fleet = (history.component as? any SharedHistory)?.report {
                        let newest = fleet.pointer?.generation
                        return (index, ControlState.Store(label: history.label, pin: fleet.pin, newest: newest))
                    }
                    let seen = await firstOutcome(within: Self.glance) { () -> CataloguePin?? in
                        do { return .some(try await history.component.currentPin()) } catch { return nil }
                    }
                    guard case let pin?? = seen else { return (index, nil) }
                    let newest = await firstOutcome(within: Self.glance) {
                        try? await history.component.history().first?.generation
                    }
                    return (index, ControlState.Store(label: history.label, pin: pin, newest: newest ?? nil))
                }
            }
            var found: [Int: ControlState.Store] = [:]
            for await (index, store) in group { found[index] = store }
            return histories.indices.compactMap { found[$0] }
        }
        return ControlState(stores: stores, quarantined: quarantined.map { ($0.label, $0.component) })
    }
}

/// Shares a read of the state among all who ask while it runs.
final class StateLook: Sendable {
    private let running = Mutex<Task<ControlState, Never>?>(nil)

    func joined(_ read: @escaping @Sendable () async -> ControlState) async -> ControlState {
        let task = running.withLock { running in
            if let running { return running }
            let task = Task.detached { [self] in
                let state = await read()
                self.running.withLock { $0 = nil }
                return state
            }
            running = task
            return task
        }
        return await task.value
    }
}
