internal import Access
internal import ClientAPI
internal import Concurrency
internal import Configuration
internal import HTTPServer
internal import JSON
internal import Logging
internal import OpenAPI
internal import OperatorsAPI
internal import Products
internal import Prometheus
internal import Querying
internal import Serving
internal import Tracing
internal import Webhooks

/// Maps paths to handlers for both ports, in one edition of the config.
struct Routes: Sendable {
    let configuration: HTTPConfiguration
    var members = FindableMembers()
    /// The configuration at the start of the process, whose limits and encryption remain in force.
    let started: HTTPConfiguration
    let graph: ServingGraph
    let config: ConfigIdentity
    let useCase: ProductsUseCase
    let responses: ResponseCache
    let readiness: ReadinessTracker
    let wallClock: WallClock
    let metrics: MetricsRegistry
    let logger: Logger
    /// Admits orders to the port for operators.
    let operators: OperatorsGuard
    /// The names of the port for operators.
    let names: OperatorsNames
    var hooks: [Hook] = []
    var access = ClientAccess(ring: nil, keyless: [], limiter: nil, unlimited: [])
    /// The clock of streams.
    var clock: any Clock<Duration> = ContinuousClock()
    var tracer: Tracer?
    /// The requests of clients that are recorded; nil for none.
    var traceRules: TraceRules?

    /// Returns the handler of the port for clients.
    func publicHandler() -> any HTTPPortHandler {
        let credentials = access.ring == nil ? [] : ["Authorization", "X-Api-Key"]
        let cors = CORSPolicy(
            configuration.cors, consulted: responses.consulted.variance.fieldNames + credentials)
        let unrouted = RouteMetrics(nil, metrics)
        let router = publicRouter()
        let tracing = tracer.map {
            TracingHandler.middleware(
                traceRules, by: $0, routes: router.routes.map(\.pattern), isEncrypted: started.tls != nil)
        }
        return router.within(
            [tracing].compactMap(\.self) + [
                AccessLogHandler.middleware(configuration.accessLog, logger: logger, principal: access.ring?.name),
                RequestIDHandler.middleware, CORSHandler.middleware(cors, preflights: unrouted),
            ] + access.middleware(refusals: unrouted, metrics))
    }

    /// Returns the routes of the port for clients.
    func publicRouter() -> Router {
        let variance = responses.consulted.variance
        let cacheControl = CacheControl(
            scope: configuration.cacheScope ?? (access.ring == nil ? variance.cacheScope : .private),
            maxAge: configuration.maxAge)
        let list = ListProductsHandler(
            responses: responses, cacheControl: cacheControl, surrogateKeys: configuration.surrogateKeys,
            limits: configuration.pagination.limits, findable: members)
        let show = ShowProductHandler(
            responses: responses, cacheControl: cacheControl, surrogateKeys: configuration.surrogateKeys)
        let categories = CategoriesHandler(
            responses: responses, cacheControl: cacheControl, surrogateKeys: configuration.surrogateKeys,
            findable: members)
        let changes = ChangesHandler(
            responses: responses, cacheControl: cacheControl, surrogateKeys: configuration.surrogateKeys,
            controls: graph.controls, clock: clock)
        return Router(
            describing: [
                DescribedRoute(
                    RoutePattern(ListProductsHandler.path), VaryingHandler.around(list, variance), list.description),
                DescribedRoute("/products/{id}", VaryingHandler.around(show, variance), show.description),
                DescribedRoute(
                    RoutePattern(CategoriesHandler.path), VaryingHandler.around(categories, variance),
                    categories.description),
                DescribedRoute(
                    RoutePattern(ChangesHandler.path), VaryingHandler.around(changes, variance), changes.description),
            ] + lookups(cacheControl) + callbacks() + probes(forClients: true),
            PortDescription(
                options: HTTPServerOptions(started), isEncrypted: started.tls != nil, cors: configuration.cors,
                access: configuration.access.description,
                version: LarderVersion.current, schemas: Self.schemas(beside: ProductSchemas.all)),
            wallClock: wallClock
        ) { RouteMetrics($0, metrics) }
    }

    /// Returns the handler of the port for operators.
    func adminHandler() -> any HTTPPortHandler {
        adminRouter().within([
            RequestIDHandler.middleware, names.middleware(probes: Router(probes(forClients: true).map(\.route))),
        ])
    }

    /// Returns the routes of the port for operators.
    func adminRouter() -> Router {
        let served = ServedGraph(
            graph.outline, graph.observation, config: config, findable: members, wallClock: wallClock)
        let controls = graph.controls
        let show = GraphHandler(
            graph: served, controls: controls, components: graph.components, readiness: readiness,
            wallClock: wallClock)
        let page = GraphHandler(
            graph: served, controls: controls, components: graph.components, readiness: readiness,
            wallClock: wallClock, isHTML: true)
        let explain = ExplainHandler(
            graph: served, useCase: useCase, consulted: responses.consulted, wallClock: wallClock)
        return Router(
            describing: [
                DescribedRoute("/", IndexHandler(), .page("showIndex", "Links to all pages")),
                DescribedRoute("/graph", show, .graph),
                DescribedRoute(
                    "/graph.html", page,
                    .page("showGraphPage", "The graph at work, drawn", ignoresQuery: false, isFixed: false)),
                DescribedRoute("/products", explain, .explanation),
                DescribedRoute("/metrics", metricsHandler, MetricsHandler.description),
            ] + orders() + probes(forClients: false),
            PortDescription(
                forOperators: HTTPServerOptions(started).forOperators, version: LarderVersion.current,
                schemas: Self.schemas(beside: OrderSchemas.all)), wallClock: wallClock)
    }

    /// The schemas of a port's own routes with those of its probes.
    private static func schemas(beside own: JSONObject) -> JSONObject {
        var schemas = own
        schemas[HealthSchema.name] = .object(HealthSchema.schema)
        return schemas
    }

    /// Returns the routes of operators' orders, and of the views that belong to them.
    private func orders() -> [DescribedRoute] {
        let controls = graph.controls
        let quarantine = QuarantineHandler(controls: controls, action: .show)
        let accept = QuarantineHandler(controls: controls, action: .accept)
        func order(
            _ pattern: RoutePattern, _ handler: some HTTPHandler, _ description: RouteDescription
        ) -> DescribedRoute {
            DescribedRoute(pattern, operators.around(handler), description)
        }
        return [
            order("/refresh", RefreshHandler(controls: controls), RefreshHandler.description),
            order("/pin", PinHandler(controls: controls, wallClock: wallClock), PinHandler.description),
            order("/unpin", UnpinHandler(controls: controls), UnpinHandler.description),
            order("/quarantine/accept", accept, accept.description),
            DescribedRoute("/quarantine", quarantine, quarantine.description),
            DescribedRoute("/history", HistoryHandler(controls: controls), HistoryHandler.description),
            DescribedRoute(
                "/history.html", HistoryPageHandler(controls: controls),
                .page("showHistoryPage", "The generations in a browser")),
            DescribedRoute(
                "/diff", DifferenceHandler(controls: controls, readiness: readiness), DifferenceHandler.description),
        ]
    }

    private var metricsHandler: MetricsHandler { MetricsHandler(registry: metrics, collector: collector) }

    /// Reads the metrics of the graph.
    var collector: GraphCollector {
        GraphCollector(
            components: graph.components, controls: graph.controls, readiness: readiness, responses: responses,
            wallClock: wallClock)
    }

    /// Returns the route of lookups by declared keys; none without any.
    private func lookups(_ cacheControl: CacheControl) -> [DescribedRoute] {
        if members.keys.isEmpty { return [] }
        let handler = KeyedProductHandler(
            responses: responses, cacheControl: cacheControl, surrogateKeys: configuration.surrogateKeys,
            findable: members)
        return [
            DescribedRoute(
                "/products/by/{key}/{value}", VaryingHandler.around(handler, responses.consulted.variance),
                handler.description)
        ]
    }

    private func callbacks() -> [DescribedRoute] {
        if hooks.isEmpty { return [] }
        let handler = HookHandler(hooks: hooks, wallClock: wallClock)
        return [DescribedRoute(HookHandler.pattern, handler, handler.description, bodyLimit: handler.bodyLimit)]
    }

    private func probes(forClients isForClients: Bool) -> [DescribedRoute] {
        func handler(_ name: String) -> ReadinessHandler {
            ReadinessHandler(
                controls: graph.controls, components: graph.components, readiness: readiness, wallClock: wallClock,
                name: name, isForClients: isForClients)
        }
        let (ready, healthy) = (handler("readyz"), handler("healthz"))
        return [
            DescribedRoute("/livez", LivenessHandler(wallClock: wallClock), LivenessHandler.description),
            DescribedRoute("/readyz", ready, ready.description),
            DescribedRoute("/healthz", healthy, healthy.description),
        ]
    }
}
