internal import Access
package import Configuration
internal import HTTPServer
internal import Health
internal import Networking
internal import OperatorsAPI
package import Products
internal import Prometheus
internal import Providers
internal import Querying
internal import Serving
internal import Text
internal import Webhooks
internal import Wiring

/// A config in force: its graph, and the routes that use it.
///
/// A request uses one edition until its response, so a reload never mixes the graph of one config with the rules of
/// another.
final class Edition: Sendable {
    /// 1 at the start, incremented by each reload.
    let number: Int
    let configuration: LoadedConfiguration
    let graph: ServingGraph
    /// The graph, with its outcomes reported to readiness.
    let provider: ReadinessReportingProvider
    let publicHandler: any HTTPPortHandler
    let adminHandler: any HTTPPortHandler
    let responses: ResponseCache
    /// Reads the metrics of the graph.
    let collector: any MetricsCollector
    private let hooks: [Hook]
    private let access: ClientAccess
    private let clock: any Clock<Duration>
    /// The configuration at the start of the process.
    private let started: HTTPConfiguration

    /// - Parameter previous: the edition to be replaced.
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
        let useCase = ProductsUseCase(provider: provider, popularity: service.popularity)
        responses = ResponseCache(
            useCase: useCase, consulted: ConsultedHeaders(graph.outline), metrics: runtime.metrics,
            wallClock: runtime.wallClock, languages: service.http.locales, slowReaders: runtime.slowReaders,
            findable: service.members, doubts: runtime.indexDoubts, replacing: previous?.responses,
            keepsResponses: previous.map { ListingRules($0.configuration) } == ListingRules(configuration))
        started = previous?.started ?? service.http
        let credential = service.adminToken?(runtime.logger)
        let token = credential.map { credential in { @Sendable () async -> Secret in await credential.current() } }
        hooks = service.hooks.map { hook in
            Hook(
                hook.rules, runtime.hookEnvironment,
                replacing: previous?.hooks.first { $0.rules.name == hook.rules.name }
            ) { [node = hook.rules.node] in
                (try? await graph.controls.refresh(RefreshOrder(supersedes: true), node: node))?.map(\.result) ?? []
            }
        }
        access = service.http.access.open(
            replacing: previous?.access, wallClock: runtime.wallClock, logger: runtime.logger)
        clock = runtime.clock
        let routes = Routes(
            configuration: service.http, members: service.members, started: started, graph: graph,
            config: ConfigIdentity(edition: number, hash: configuration.hash),
            useCase: useCase, responses: responses, readiness: readiness, wallClock: runtime.wallClock,
            metrics: runtime.metrics, logger: runtime.logger,
            operators: OperatorsGuard(
                token: token, isLocal: service.adminListen.isLoopback, logger: runtime.logger, clock: runtime.clock),
            names: OperatorsNames(service.adminHosts + [runtime.hostName]), hooks: hooks, access: access,
            clock: runtime.clock, tracer: runtime.tracer, traceRules: service.telemetry?.rules)
        collector = routes.collector
        (publicHandler, adminHandler) = (routes.publicHandler(), routes.adminHandler())
    }
}

extension Edition {
    /// The troubles of the file of API keys.
    var troubles: [Trouble] { access.ring?.troubles ?? [] }

    /// The jobs of the graph and of the webhooks, and the readiness job.
    var backgroundJobs: [BackgroundJob] {
        let ready = BackgroundJob(name: "readiness", owner: "readiness") { [provider, responses] in
            try await provider.keepReady { await responses.prepare($0) }
        }
        let keys = access.ring.map { ring in
            BackgroundJob(name: "API keys", owner: "http") { [clock] in try await ring.watch(clock) }
        }
        return graph.backgroundJobs + hooks.map(\.job) + [ready] + (keys.map { [$0] } ?? [])
    }
}

/// A graph made from a config file, with its background jobs and shutdown hooks.
package struct ServingGraph: Sendable {
    /// The root.
    package let provider: any ProductsProvider
    /// The description of the root and of all components below it.
    package let outline: ComponentOutline
    /// Monitors, background refreshes, and the memories that follow stores.
    package let backgroundJobs: [BackgroundJob]
    /// Closes components after use, users before the components below them.
    package let shutdownHooks: [ShutdownHook]
    /// Nil if no provider is observed.
    let observation: GraphObservation?
    /// The components with metrics.
    let components: GraphComponents
    /// Executes operators' orders.
    let controls: GraphControls
    /// The catalogues that clients get.
    let front: ServableCatalogue
    /// Held while requests may come in.
    let graphUse: GraphUse

    /// Makes the graph. Opens no connection and writes nothing.
    package init(_ configuration: LoadedConfiguration, resources: ComponentResources) throws {
        try self.init(configuration, in: Assembly(resources: resources))
    }

    /// Makes the graph in an assembly, which may take over components of an earlier one.
    init(_ configuration: LoadedConfiguration, in assembly: Assembly) throws {
        provider = try configuration.root.instantiate(in: assembly)
        outline = configuration.root.outline
        shutdownHooks = assembly.shutdownHooks.reversed()
        observation = assembly.optionalResource(GraphObservation.self)
        observation?.register(assembly.components(of: ProviderFamily.self).map { ($0.outline.id, $0.instance) })
        components = GraphComponents(assembly, root: outline)
        controls = GraphControls(assembly)
        front = ServableCatalogue(assembly, root: outline, states: components.states)
        backgroundJobs = assembly.backgroundJobs + controls.jobs
        graphUse = assembly.optionalResource(GraphUse.self) ?? GraphUse()
    }

    /// Ends when the graph and all its providers are released.
    var drained: GraphDrained { graphUse.drained }

    /// Closes everything.
    package func close() async {
        await shutdownHooks.close()
    }

    /// The hooks of components made for this graph, not taken over.
    var ownHooks: [ShutdownHook] { shutdownHooks.filter { !$0.isTakenOver } }

    /// The hooks of components that a replacement of this graph does not use.
    func hooks(notTakenOverBy successor: ServingGraph) -> [ShutdownHook] {
        let takenOver = Set(successor.shutdownHooks.filter(\.isTakenOver).map(\.owner))
        return shutdownHooks.filter { !takenOver.contains($0.owner) }
    }
}

/// The inputs of encoded listings and their heads besides the catalogue and the time.
struct ListingRules: Equatable {
    private let variants: Int
    private let defaultLimit: Int
    private let locales: [String]
    private let popularity: PopularityRule
    private let members: FindableMembers
    private let maxAge: Duration
    private let cacheScope: CacheScope?
    private let vary: String

    init(_ configuration: LoadedConfiguration) {
        let variance = ResponseVariance(configuration.root.outline.variations)
        variants = variance.variants
        defaultLimit = configuration.service.http.pagination.defaultLimit
        locales = configuration.service.http.locales
        popularity = configuration.service.popularity
        members = configuration.service.members
        maxAge = configuration.service.http.maxAge
        cacheScope = configuration.service.http.cacheScope
        vary = variance.vary
    }
}
