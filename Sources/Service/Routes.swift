internal import API
internal import Concurrency
internal import Configuration
internal import HTTPServer
internal import Products
internal import Prometheus

/// The routes of both ports, as one edition of the config has them. What answers which path is decided here and
/// nowhere else.
struct Routes: Sendable {
    /// What can be done with the resources of either port.
    static let methods: Set<HTTPMethod> = [.get, .head, .options]

    let configuration: HTTPConfiguration
    /// The one by which the ports were opened: what it says of limits and encryption stays until a restart.
    let started: HTTPConfiguration
    let graph: ServingGraph
    let config: ConfigIdentity
    let useCase: ProductsUseCase
    let listings: ListingCache
    let readiness: ReadinessTracker
    let wallClock: WallClock
    let metrics: MetricsRegistry

    /// What answers on the port that clients use.
    func publicHandler() -> any HTTPHandler {
        let consulted = ConsultedHeaders(graph.outline).variance.fieldNames
        return CORSHandler.around(
            publicRouter(), CORSPolicy(configuration.cors, consulted: consulted),
            preflights: RouteMetrics(nil, metrics))
    }

    /// The port that clients use.
    func publicRouter() -> Router {
        let consulted = ConsultedHeaders(graph.outline)
        let variance = consulted.variance
        let resource = ProductsResource(
            useCase: useCase, meter: AnswerMeter(metrics), listings: listings, consulted: consulted,
            cacheControl: CacheControl(
                scope: configuration.cacheScope, maxAge: configuration.maxAge, variance), wallClock: wallClock)
        let list = ListProductsHandler(resource: resource, limits: configuration.pagination.limits)
        let show = ShowProductHandler(resource: resource)
        return Router(
            describing: [
                DescribedRoute(
                    .get, RoutePattern(ListProductsHandler.path), VaryingHandler.around(list, variance),
                    list.description),
                DescribedRoute(.get, "/products/{id}", VaryingHandler.around(show, variance), show.description),
            ] + probes(),
            PortDescription(
                title: "Larder", schemas: PortSchemas.products, options: HTTPServerOptions(started),
                isEncrypted: started.tls != nil, cors: configuration.cors), wallClock: wallClock
        ) { RouteMetrics($0, metrics) }
    }

    /// The port that operators use.
    func adminRouter() -> Router {
        let served = ServedGraph(graph.outline, graph.observation, config: config, wallClock: wallClock)
        let show = GraphHandler(graph: served, readiness: readiness, wallClock: wallClock)
        let page = GraphHandler(graph: served, readiness: readiness, wallClock: wallClock, isPage: true)
        let explain = ExplainHandler(
            graph: served, useCase: useCase, consulted: ConsultedHeaders(graph.outline), wallClock: wallClock)
        return Router(
            describing: [
                DescribedRoute(.get, "/graph", show, show.description),
                DescribedRoute(.get, "/graph.html", page, page.description),
                DescribedRoute(.get, "/products", explain, explain.description),
                DescribedRoute(.get, "/metrics", metricsHandler, MetricsHandler.description),
            ] + probes(),
            PortDescription(
                title: "Larder, for operators", schemas: PortSchemas.operators,
                options: HTTPServerOptions(started).forOperators), wallClock: wallClock)
    }

    private var metricsHandler: MetricsHandler {
        MetricsHandler(
            registry: metrics,
            collector: GraphCollector(
                components: graph.components, observation: graph.observation, readiness: readiness,
                listings: listings, wallClock: wallClock))
    }

    private func probes() -> [DescribedRoute] {
        let ready = ReadinessHandler(readiness: readiness, wallClock: wallClock, name: "readyz")
        let healthy = ReadinessHandler(readiness: readiness, wallClock: wallClock, name: "healthz")
        return [
            DescribedRoute(.get, "/livez", LivenessHandler(wallClock: wallClock), LivenessHandler.description),
            DescribedRoute(.get, "/readyz", ready, ready.description),
            DescribedRoute(.get, "/healthz", healthy, healthy.description),
        ]
    }
}
