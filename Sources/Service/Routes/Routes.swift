internal import Configuration
internal import HTTPServer
internal import Products

/// The routes of both ports, as one edition of the config has them. What answers which path is decided here and
/// nowhere else.
struct Routes: Sendable {
    let configuration: HTTPConfiguration
    let graph: ServingGraph
    let useCase: ProductsUseCase
    let listings: ListingCache
    let readiness: ReadinessTracker
    let wallClock: WallClock

    /// The port that clients use.
    func publicRouter() -> Router {
        let consulted = ConsultedHeaders(graph.outline)
        let variance = consulted.variance
        let resource = ProductsResource(
            useCase: useCase, listings: listings, consulted: consulted,
            cacheControl: CacheControl(configuration, variance), wallClock: wallClock)
        let list = VaryingHandler.around(ListProductsHandler(resource: resource), variance)
        let show = VaryingHandler.around(ShowProductHandler(resource: resource), variance)
        return Router([Route(.get, "/products", list), Route(.get, "/products/{id}", show)] + probes())
    }

    /// The port that operators use.
    func adminRouter() -> Router {
        let served = ServedGraph(graph.outline, graph.observation, wallClock: wallClock)
        let show = GraphHandler(graph: served, readiness: readiness, wallClock: wallClock)
        let page = GraphHandler(graph: served, readiness: readiness, wallClock: wallClock, isPage: true)
        let explain = ExplainHandler(
            graph: served, useCase: useCase, consulted: ConsultedHeaders(graph.outline), wallClock: wallClock)
        return Router(
            [Route(.get, "/graph", show), Route(.get, "/graph.html", page), Route(.get, "/products", explain)]
                + probes())
    }

    private func probes() -> [Route] {
        [
            Route(.get, "/livez", LivenessHandler()),
            Route(.get, "/readyz", ReadinessHandler(readiness: readiness, wallClock: wallClock, name: "readyz")),
            Route(.get, "/healthz", ReadinessHandler(readiness: readiness, wallClock: wallClock, name: "healthz")),
        ]
    }
}
