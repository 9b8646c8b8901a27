package import Concurrency
package import Configuration
internal import FoundationEssentials
internal import HTTPServer
internal import JSON
internal import Products
package import Providers

/// `GET /graph`: the graph at work, as JSON; for browsers, and at `/graph.html`, as a page.
package struct GraphHandler: HTTPHandler, QueryReading {
    let graph: ServedGraph
    let controls: GraphControls
    let readiness: ReadinessTracker
    let wallClock: WallClock
    /// Whether every client gets the page.
    let isPage: Bool

    package init(
        graph: ServedGraph, controls: GraphControls, readiness: ReadinessTracker, wallClock: WallClock,
        isPage: Bool = false
    ) {
        self.graph = graph
        self.controls = controls
        self.readiness = readiness
        self.wallClock = wallClock
        self.isPage = isPage
    }

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        _ = try query(of: request, taking: [])
        return .pending {
            let state = await controls.state()
            let report = GraphReport(
                graph, readiness.verdict, failing: readiness.failing, operators: state, at: wallClock.now())
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
        AcceptedTypes(request.header("Accept")).weight { $0.type == "text/html" } > 0
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
