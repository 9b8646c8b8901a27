internal import HTTPServer
internal import Products

/// One reading of the config file in force: the graph that it describes, and the routes that answer from it.
///
/// All that a request needs it finds in one edition, and keeps to that edition until it is answered, so a reload never
/// mixes the graph of one config with the rules of another.
final class Edition: Sendable {
    /// 1 at the start, one more with each config that was put into force.
    let number: Int
    let configuration: LoadedConfiguration
    let graph: ServingGraph
    /// The graph under the eyes of readiness.
    let provider: WatchedProductsProvider
    let publicHandler: any HTTPHandler
    let adminHandler: any HTTPHandler
    private let listings: ListingCache
    /// By what the process was started, and its ports were opened.
    private let started: HTTPConfiguration

    /// - Parameter previous: the edition that this one will replace.
    init(
        _ configuration: LoadedConfiguration, graph: ServingGraph, readiness: ReadinessTracker, runtime: Runtime,
        replacing previous: Edition? = nil
    ) {
        let service = configuration.service
        number = (previous?.number ?? 0) + 1
        self.configuration = configuration
        self.graph = graph
        provider = WatchedProductsProvider(
            upstream: graph.provider, readiness: readiness, edition: number, logger: runtime.logger)
        listings = Self.listings(configuration, runtime.wallClock, replacing: previous)
        started = previous?.started ?? service.http
        let routes = Routes(
            configuration: service.http, started: started, graph: graph,
            config: ConfigIdentity(edition: number, hash: configuration.hash),
            useCase: ProductsUseCase(provider: provider, popularity: service.popularity), listings: listings,
            readiness: readiness, wallClock: runtime.wallClock, metrics: runtime.metrics)
        let log = AccessLog(mode: service.http.accessLog, logger: runtime.logger)
        publicHandler = log.around(RequestIDHandler(upstream: routes.publicHandler()))
        adminHandler = RequestIDHandler(upstream: routes.adminRouter())
    }

    /// Has the whole catalogue of an answer encoded, so that the first client need not wait for it.
    func prepare(_ answer: ProductsAnswer) async {
        _ = await listings.encoded(
            ProductsListing(answer: answer, popularity: configuration.service.popularity))
    }

    /// What was encoded stays good while the rules by which it was encoded do.
    private static func listings(
        _ configuration: LoadedConfiguration, _ wallClock: WallClock, replacing previous: Edition?
    ) -> ListingCache {
        let rules = ListingRules(configuration)
        guard let previous, rules == ListingRules(previous.configuration) else {
            return ListingCache(variants: rules.variants, wallClock: wallClock, replacing: previous?.listings)
        }
        return previous.listings
    }
}
