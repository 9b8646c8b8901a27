internal import Concurrency
internal import Configuration
internal import FoundationEssentials
internal import HTTPServer
internal import JSON
internal import Products
internal import Providers

/// `GET /graph`: the graph with what happens in it, as JSON; for browsers, and at `/graph.html`, as a page.
struct GraphHandler: HTTPHandler, QueryReading {
    let graph: ServedGraph
    let readiness: ReadinessTracker
    let wallClock: WallClock
    /// Whether it is a page for everybody.
    var isPage = false

    func answer(to request: HTTPRequest) throws -> HTTPAnswer {
        _ = try query(of: request, taking: [])
        let report = GraphReport(graph, readiness.verdict, failing: readiness.failing, at: wallClock.now())
        return .ready(isPage || wantsPage(request) ? try page(report) : json(report))
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

    /// Whether the client names HTML, as browsers do; one that accepts anything gets JSON.
    private func wantsPage(_ request: HTTPRequest) -> Bool {
        AcceptedTypes(request.header("Accept")).weight { $0.type == "text/html" } > 0
    }
}

extension GraphHandler {
    /// What the route does.
    var description: RouteDescription {
        RouteDescription(
            id: isPage ? "graphPage" : "graph",
            summary: "The graph of components, and what happens in it" + (isPage ? ", as a page" : ""),
            answers: [isPage ? page : either, .problem(400, "There is a query.")])
    }

    private static let pageFields: [AnswerField] = [.contentTypeOptions, .referrerPolicy, .contentSecurityPolicy]
    private static let html = AnswerDescription.Content(mediaType: "text/html", schema: Schema.text)

    private var page: AnswerDescription {
        AnswerDescription(
            status: 200, meaning: "The graph.", fields: [.cacheControl, .vary] + Self.pageFields,
            contents: [Self.html])
    }

    private var either: AnswerDescription {
        AnswerDescription(
            status: 200, meaning: "The graph; a page for those who accept HTML.", fields: [.cacheControl, .vary],
            possibleFields: Self.pageFields,
            contents: [.init(mediaType: "application/json", schema: Schema.named(GraphSchemas.graph)), Self.html])
    }
}

/// The graph that serves at the moment, for whoever looks at it.
struct ServedGraph: Sendable {
    /// Its root, and what that is built on.
    let outline: ComponentOutline
    /// The config that it was made from.
    let config: ConfigIdentity
    /// What happens in it.
    let observation: GraphObservation

    /// A graph that is not observed is shown as one in which nothing happens.
    init(
        _ outline: ComponentOutline, _ observation: GraphObservation? = nil, config: ConfigIdentity,
        wallClock: WallClock
    ) {
        self.outline = outline
        self.config = config
        self.observation = observation ?? GraphObservation(root: outline.id, wallClock: wallClock)
    }
}
