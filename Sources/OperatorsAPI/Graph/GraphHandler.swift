package import Concurrency
package import Configuration
internal import FoundationEssentials
internal import HTTPServer
internal import JSON
package import Providers
package import Querying
package import Serving
internal import Wiring

/// `GET /graph`: the graph at work, as JSON; for browsers, and at `/graph.html`, as a page.
package struct GraphHandler: HTTPHandler, QueryReading {
    let graph: ServedGraph
    let controls: GraphControls
    let components: GraphComponents
    let readiness: ReadinessTracker
    let wallClock: WallClock
    /// Whether every client gets the page.
    let isHTML: Bool

    package init(
        graph: ServedGraph, controls: GraphControls, components: GraphComponents, readiness: ReadinessTracker,
        wallClock: WallClock, isHTML: Bool = false
    ) {
        self.graph = graph
        self.controls = controls
        self.components = components
        self.readiness = readiness
        self.wallClock = wallClock
        self.isHTML = isHTML
    }

    func respond(to request: HTTPRequest) throws -> EventualResponse {
        _ = try query(of: request, taking: [])
        return .pending {
            async let state = controls.state()
            async let shared = components.sharedStores(within: GraphControls.glance)
            let failing = readiness.failing
            let report = GraphReport(
                graph, readiness.verdict, failing: failing, operators: await state, sharedStores: await shared,
                troubles: components.troubles(failing: failing), at: wallClock.now())
            return isHTML || wantsHTML(request) ? try html(report) : json(report)
        }
    }

    private func json(_ report: GraphReport) -> HTTPResponse {
        HTTPResponse(
            status: .ok,
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store", "Vary": "Accept"],
            body: HTTPBody(bytes: JSONValue.object(report.json).encoded()))
    }

    private func html(_ report: GraphReport) throws -> HTTPResponse {
        var headers: HTTPHeaderBlock = [
            "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Vary": "Accept",
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
        ]
        try headers.append("Content-Security-Policy", GraphHTML.policy)
        return HTTPResponse(status: .ok, headers: headers, body: HTTPBody(text: GraphHTML(report).html))
    }

    /// Whether the client names HTML in `Accept`, as browsers do; a client that accepts anything gets JSON.
    private func wantsHTML(_ request: HTTPRequest) -> Bool {
        AcceptedTypes(request.preferences("Accept")).weight(of: ["text/html"]) > 0
    }
}

/// The graph in force, for operators.
package struct ServedGraph: Sendable {
    let outline: ComponentOutline
    let config: ConfigIdentity
    let observation: GraphObservation
    /// The members by which clients find products.
    let members: FindableMembers

    /// - Parameter observation: nil for a graph shown without calls.
    package init(
        _ outline: ComponentOutline, _ observation: GraphObservation? = nil, config: ConfigIdentity,
        findable members: FindableMembers = FindableMembers(), wallClock: WallClock
    ) {
        self.members = members
        self.outline = outline
        self.config = config
        self.observation = observation ?? GraphObservation(root: outline.id, wallClock: wallClock)
    }
}

/// The identity of a config, to distinguish replicas and editions.
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

/// Finds the paths from the root of a graph to its stores.
struct GraphTiers {
    private let nodes: [String: GraphReport.Node]
    private let uses: [String: [GraphReport.Edge]]

    init(_ nodes: [GraphReport.Node], _ edges: [GraphReport.Edge]) {
        self.nodes = Dictionary(uniqueKeysWithValues: nodes.map { ($0.outline.id, $0) })
        uses = Dictionary(grouping: edges, by: \.from)
    }

    /// The names of the memories and stores on the first path to a store, and its own; nil without a path.
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
