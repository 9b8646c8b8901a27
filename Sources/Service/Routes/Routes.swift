internal import HTTPServer
internal import Products

/// The routes of both ports. What answers which path is decided here and nowhere else.
struct Routes: Sendable {
    let configuration: HTTPConfiguration
    let useCase: ProductsUseCase
    let readiness: ReadinessTracker
    let wallClock: WallClock

    /// The port that clients use.
    func publicRouter() -> Router {
        let resource = ProductsResource(
            useCase: useCase, listings: ListingCache(),
            cacheControl: CacheControl(scope: configuration.cacheScope, maxAge: configuration.maxAge),
            wallClock: wallClock)
        let list = ListProductsHandler(resource: resource)
        let show = ShowProductHandler(resource: resource)
        return Router([Route(.get, "/products", list), Route(.get, "/products/{id}", show)] + probes())
    }

    /// The port that operators use.
    func adminRouter() -> Router { Router(probes()) }

    private func probes() -> [Route] {
        [
            Route(.get, "/livez", LivenessHandler()),
            Route(.get, "/readyz", ReadinessHandler(readiness: readiness, wallClock: wallClock, name: "readyz")),
            Route(.get, "/healthz", ReadinessHandler(readiness: readiness, wallClock: wallClock, name: "healthz")),
        ]
    }
}
