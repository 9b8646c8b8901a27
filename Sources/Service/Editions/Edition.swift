internal import API
public import Configuration
internal import HTTPServer
public import Products
internal import Providers

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
    let provider: ReadinessReportingProvider
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
        provider = ReadinessReportingProvider(
            upstream: graph.provider, readiness: readiness, edition: number, logger: runtime.logger)
        listings = Self.listings(configuration, runtime, replacing: previous)
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

    /// The previous edition's listings if they were encoded by the same rules, else new ones.
    private static func listings(
        _ configuration: LoadedConfiguration, _ runtime: Runtime, replacing previous: Edition?
    ) -> ListingCache {
        let rules = ListingRules(configuration)
        guard let previous, rules == ListingRules(previous.configuration) else {
            return ListingCache(
                variants: rules.variants, wallClock: runtime.wallClock, slowReaders: runtime.slowReaders,
                replacing: previous?.listings)
        }
        return previous.listings
    }
}

/// A graph that was made from a config file, with what has to run and to be closed beside it.
public struct ServingGraph: Sendable {
    /// The provider that is asked.
    public let provider: any ProductsProvider
    /// The provider and the components below it.
    public let outline: ComponentOutline
    /// Tasks that run while the graph is used: monitors, background refreshes.
    public let backgroundJobs: [BackgroundJob]
    /// Closes components that are no longer used, in this order where one is built on the other.
    public let shutdownHooks: [ShutdownHook]
    /// The record of the providers' calls; nil where nothing reads it.
    let observation: GraphObservation?
    /// The components that are read at a scrape.
    let components: GraphComponents
    /// Held as long as requests may come in.
    let tenancy: GraphLease

    /// Makes the graph. Opens no connection and writes nothing.
    public init(_ configuration: LoadedConfiguration, resources: ComponentResources) throws {
        try self.init(configuration, in: Assembly(resources: resources))
    }

    /// Makes the graph in an assembly, which may take components over from the one before.
    init(_ configuration: LoadedConfiguration, in assembly: Assembly) throws {
        provider = try configuration.root.instantiate(in: assembly)
        outline = configuration.root.outline
        backgroundJobs = assembly.backgroundJobs
        shutdownHooks = assembly.shutdownHooks.reversed()
        observation = assembly.optionalResource(GraphObservation.self)
        observation?.register(assembly)
        components = GraphComponents(assembly, root: outline)
        tenancy = assembly.optionalResource(GraphLease.self) ?? GraphLease()
    }

    /// The catalogue that it answers from.
    var catalogueInFront: ServableCatalogue { ServableCatalogue(outline, observation) }

    /// Comes when nobody holds the graph or any of its providers any more.
    var vacancy: GraphDrained { tenancy.vacancy }

    /// Closes everything.
    public func close() async {
        await shutdownHooks.close()
    }

    /// The hooks of what was made for this graph, and not taken over from another one.
    var ownHooks: [ShutdownHook] { shutdownHooks.filter { !$0.isTakenOver } }

    /// The hooks of what is not used any more when another graph has taken the place of this one.
    func hooks(notTakenOverBy successor: ServingGraph) -> [ShutdownHook] {
        let takenOver = Set(successor.shutdownHooks.filter(\.isTakenOver).map(\.owner))
        return shutdownHooks.filter { !takenOver.contains($0.owner) }
    }
}

/// All that encoded listings and their heads depend on beside the catalogue and the time.
struct ListingRules: Equatable {
    /// How many variants there are to keep.
    let variants: Int
    private let defaultLimit: Int
    private let popularity: PopularityRule
    private let maxAge: Duration
    private let cacheScope: CacheScope?
    private let vary: String

    init(_ configuration: LoadedConfiguration) {
        let variance = AnswerVariance(configuration.root.outline.variations)
        variants = variance.variants
        defaultLimit = configuration.service.http.pagination.defaultLimit
        popularity = configuration.service.popularity
        maxAge = configuration.service.http.maxAge
        cacheScope = configuration.service.http.cacheScope
        vary = variance.vary
    }
}
