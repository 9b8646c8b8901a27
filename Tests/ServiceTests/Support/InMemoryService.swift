@testable import Prometheus
@testable import PracticeUpstream
@testable import Concurrency
@testable import OperatorsAPI
@testable import Serving
import Analytics
import Configuration
import CoreMetrics
import FoundationEssentials
import HTTPServer
import Health
import Networking
import Products
import Providers
import ServingTestSupport
import TestSupport
internal import Wiring

@testable import Service

/// Both ports of a service without sockets: requests go to the handlers, and a test scripts the upstreams.
final class InMemoryService: AskedService, Sendable {
    /// The default graph, in which the first answer comes from the upstream `shop` and later ones from memory.
    static let memory = """
        { type: memory, ttl: 10s, stale_while_revalidate: 20s, stale_if_error: 1h, hold_off: 30s, upstream: shop }
        """

    let clock = ManualWallClock(now: Date(timeIntervalSince1970: 1_800_000_000))
    let log = LogRecorder()
    /// Has the hundred products of the practice upstream.
    let shop: ScriptedProvider
    let gold: ScriptedProvider
    let rest: ScriptedProvider
    let graph: ServingGraph
    let readiness: ReadinessTracker
    let provider: ReadinessReportingProvider
    let handler: any HTTPHandler
    private let adminHandler: any HTTPHandler

    /// - Parameters:
    ///   - providers: the YAML of `providers`, beside the upstreams `shop`, `gold` and `rest`. Serves the provider `top`.
    ///   - http: the members of `http`.
    ///   - sections: more of the top level.
    ///   - add: registers component types of the test.
    ///   - listings: the cache of encoded answers; the usual one by default.
    init(
        _ providers: String = "top: \(memory)", http: String = "", sections: String = "",
        adding add: (inout ComponentRegistry) -> Void = { _ in }, listings: ListingCache? = nil
    ) throws {
        let wallClock = clock.wallClock
        let madeUp = try NativeCatalogueDecoder().decode(items: PracticeCatalogue.madeUp().items)
        let now = { @Sendable [clock] in clock.now }
        shop = ScriptedProvider(try Catalogue(madeUp), now: now)
        gold = ScriptedProvider(try makeCatalogue(["Gold", "Gold two"]), now: now)
        rest = ScriptedProvider(try makeCatalogue(["Rest", "Rest two"]), now: now)
        let yaml = """
            http: { \(http) }
            \(sections)
            providers:
              shop: { type: scripted }
              gold: { type: gold }
              rest: { type: rest }
            \(providers.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
            serve: top
            """
        let upstreams = [shop.spec("scripted"), gold.spec("gold"), rest.spec("rest")]
        let configuration = try LoadedConfiguration.checked(yaml) { registry in
            registry.register(ProviderFamily.self, upstreams)
            add(&registry)
        }
        let doubts = IndexDoubts(wallClock: wallClock, logger: log.logger)
        let troubles = TroubleReporters()
        troubles.add(doubts)
        let metrics = MetricsRegistry(known: MetricDescription.known, logger: log.logger)
        var resources = ComponentResources()
        resources.set(log.logger)
        resources.set(troubles)
        resources.set(wallClock)
        resources.set(CatalogueSignal())
        resources.set(metrics, as: (any MetricsFactory).self)
        resources.set(AnalyticsEnvironment(now: wallClock.now))
        resources.set(GraphObservation(root: configuration.root.outline.id, wallClock: wallClock))
        graph = try ServingGraph(configuration, in: Assembly(resources: resources))
        readiness = ReadinessTracker(wallClock: wallClock, logger: log.logger)
        readiness.follow(1, front: graph.front)
        provider = ReadinessReportingProvider(
            upstream: graph.provider, readiness: readiness, edition: 1, logger: log.logger)
        let service = configuration.service
        let useCase = ProductsUseCase(provider: provider, popularity: service.popularity)
        let consulted = ConsultedHeaders(graph.outline)
        let routes = Routes(
            configuration: service.http, members: service.members, started: service.http, graph: graph,
            config: ConfigIdentity(edition: 1, hash: configuration.hash),
            useCase: useCase,
            responses: ResponseCache(
                useCase: useCase, consulted: consulted, metrics: metrics, wallClock: wallClock,
                listings: listings
                    ?? ListingCache(
                        variants: consulted.variance.variants, wallClock: wallClock, languages: service.http.locales,
                        findable: service.members, doubts: doubts)),
            readiness: readiness, wallClock: wallClock, metrics: metrics, logger: log.logger,
            operators: OperatorsGuard(token: nil, logger: log.logger), names: OperatorsNames([]))
        (handler, adminHandler) = (routes.publicHandler(), routes.adminHandler())
    }

    /// Asks once, so that memory has a fresh answer.
    func warm() async throws -> HTTPClientResponse { try await get("/products") }

    func send(
        _ target: String, _ method: String, _ headers: [HTTPHeader], admin: Bool
    ) async throws -> HTTPClientResponse {
        await (admin ? adminHandler : handler).send(target, method, headers)
    }
}

extension HTTPHandler {
    /// Answers like a server, which makes responses of errors and sends no body with HEAD.
    func send(_ target: String, _ method: String, _ headers: [HTTPHeader]) async -> HTTPClientResponse {
        let request = HTTPRequest(
            method: HTTPMethod.allCases.first { $0.description == method } ?? .other, target: target,
            headers: headers.map { ($0.name, $0.value) })
        let response: HTTPResponse
        do { response = try await self.response(to: request) } catch { response = HTTPResponse(for: error) }
        return HTTPClientResponse(
            status: response.status.code,
            headers: HTTPHeaders(response.headers.fields.map { HTTPHeader($0.name, $0.value) }),
            body: method == "HEAD" ? [] : response.body.bytes)
    }
}
