internal import Concurrency
internal import Networking
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing
internal import Upstreams

@testable internal import Providers

/// One type of provider in the contract's table: how it is made, and where its job makes it differ from the rest.
struct ContractSubject: Sendable, CustomTestStringConvertible {
    /// What a caller sees when the upstream fails.
    enum Failing: Sendable {
        /// The upstream's own failure, by its token.
        case throwing(String)
        /// Another answer, because catching failures is the provider's job.
        case answering
    }

    /// What happens to the upstream when a caller that waits is cancelled.
    enum Cancelling: Sendable {
        /// Its work is cancelled too.
        case passesDown
        /// Nothing, because the work belongs to the provider and not to the caller.
        case staysHere
        /// No request waits.
        case neverWaits
    }

    /// The type by which it is registered.
    let type: String
    var failing = Failing.throwing("status-503")
    var cancelling = Cancelling.passesDown
    /// Whether an empty catalogue is refused.
    var refusesEmpty = false
    /// Whether callers at the same time share one question to the upstream.
    var sharesQuestions = false
    /// Whether callers use the leases of earlier answers, and so need not ask.
    var usesLeases = false
    let make: @Sendable (ContractFixture) throws -> (any ProductsProvider, any ContractUpstream)

    var testDescription: String { type }

    /// A subject over a scripted provider.
    static func wrapping(
        _ type: String, failing: Failing = .throwing("status-503"), cancelling: Cancelling = .passesDown,
        refusesEmpty: Bool = false, sharesQuestions: Bool = false,
        _ make: @escaping @Sendable (ContractFixture, ScriptedProvider) throws -> any ProductsProvider
    ) -> ContractSubject {
        ContractSubject(
            type: type, failing: failing, cancelling: cancelling, refusesEmpty: refusesEmpty,
            sharesQuestions: sharesQuestions
        ) { fixture in
            let upstream = fixture.makeUpstream()
            return (try make(fixture, upstream), ProviderUpstream(provider: upstream, wall: fixture.wall))
        }
    }
}

extension ContractSubject {
    /// All subjects, once unchanged, once observed, and once with leases on the providers below. The last two may
    /// change nothing but speed.
    static var inEveryManner: [ContractSubject] { all + all.map(\.observed) + all.map(\.leased) }

    private var observed: ContractSubject {
        ContractSubject(
            type: "\(type), observed", failing: failing, cancelling: cancelling, refusesEmpty: refusesEmpty,
            sharesQuestions: sharesQuestions
        ) { fixture in
            let (provider, upstream) = try make(fixture)
            return (ProvidersTests.observed(provider, "root"), upstream)
        }
    }

    private var leased: ContractSubject {
        ContractSubject(
            type: "\(type), leased", failing: failing, cancelling: cancelling, refusesEmpty: refusesEmpty,
            sharesQuestions: sharesQuestions, usesLeases: true
        ) { fixture in
            let (provider, upstream) = try make(fixture)
            (upstream as? ProviderUpstream)?.provider.publishes()
            return (LeasingCaller(ProvidersTests.observed(provider, "root"), wall: fixture.wall), upstream)
        }
    }
}

extension ContractSubject {
    /// A maker for every type that is registered; the suite fails if one is missing.
    static let all: [ContractSubject] = [
        ContractSubject(type: "http") { fixture in
            let upstream = LoopbackUpstream()
            let provider = makeHTTPProvider(
                fixture.client, url: upstream.server.url, decoder: fixture.makeDecoder(),
                wallClock: fixture.wall.wallClock)
            return (provider, upstream)
        },
        .wrapping("stored") { _, upstream in upstream },
        ContractSubject(type: "file", failing: .throwing("store-failed"), cancelling: .neverWaits) { fixture in
            let upstream = FileUpstream(directory: fixture.directory)
            let provider = FileProductsProvider(
                path: upstream.path, decoder: fixture.makeDecoder(), wallClock: fixture.wall.wallClock,
                timeout: .seconds(30))
            return (provider, upstream)
        },
        .wrapping("reachability") { _, upstream in
            let monitor = FixedReachabilityMonitor(isReachable: true)
            return ReachabilityProductsProviderStrategy(
                monitor: monitor,
                remote: ReachabilityRecordingProductsProviderDecorator(upstream: upstream, monitor: monitor),
                local: ScriptedProvider())
        },
        .wrapping("fallback", failing: .answering) { _, upstream in
            let secondary = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot("Other")) }
            return FallbackProductsProviderStrategy(primary: upstream, secondary: secondary)
        },
        .wrapping("ab_test") { _, upstream in
            let experiment = Experiment(name: "e", header: "X-User", shareOfA: 0.5)
            return ABTestProductsProviderStrategy(
                decision: experiment,
                a: ExposureProductsProviderDecorator(
                    upstream: upstream, arm: .a, of: experiment, sink: RecordingSink()),
                b: ScriptedProvider())
        },
        .wrapping("audience") { _, upstream in
            AudienceProductsProviderStrategy(
                header: "X-Tier", cases: ["gold": ScriptedProvider()], otherwise: upstream)
        },
        .wrapping("merge") { fixture, upstream in
            let empty = ScriptedProvider {
                ProductsAnswer(snapshot: makeSnapshot(count: 0, fetchedAt: fixture.wall.now))
            }
            return MergeProductsProviderStrategy(parts: [
                .init(name: "a", provider: upstream), .init(name: "b", provider: empty),
            ])
        },
        .wrapping("overlay") { fixture, upstream in
            let entries = ScriptedProvider {
                ProductsAnswer(snapshot: makeSnapshot(count: 0, fetchedAt: fixture.wall.now))
            }
            let overlay = MemoryProductsProviderDecorator(
                upstream: entries, policy: FreshnessPolicy(overlayTTL: .seconds(5)), wallClock: fixture.wall.wallClock,
                clock: fixture.clock, logger: fixture.log.logger)
            return OverlayProductsProviderStrategy(
                upstream: upstream, overlay: overlay, members: ["price"], wallClock: fixture.wall.wallClock)
        },
        .wrapping("memory", failing: .throwing("unavailable"), cancelling: .staysHere, sharesQuestions: true) {
            fixture, upstream in
            MemoryProductsProviderDecorator(
                upstream: upstream, wallClock: fixture.wall.wallClock, clock: fixture.clock, logger: fixture.log.logger)
        },
        .wrapping("caching") { _, upstream in
            let store = ScriptedProvider()
            return CachingProductsProviderDecorator(upstream: upstream, saver: store)
        },
        .wrapping("analytics") { fixture, upstream in
            AnalyticsProductsProviderDecorator(
                upstream: upstream, sink: RecordingSink(), event: "asked", wallClock: fixture.wall.wallClock)
        },
        .wrapping("validated", refusesEmpty: true) { _, upstream in
            ValidatedProductsProviderDecorator(
                upstream: upstream, baseline: CatalogueBaseline(store: ScriptedProvider()))
        },
        .wrapping("retry") { fixture, upstream in
            RetryProductsProviderDecorator(upstream: upstream, clock: fixture.clock, jitter: JitterSource { 0 })
        },
        .wrapping("timeout") { fixture, upstream in
            TimeoutProductsProviderDecorator(upstream: upstream, after: .seconds(1), clock: fixture.clock)
        },
        .wrapping("circuit_breaker") { fixture, upstream in
            CircuitBreakerProductsProviderDecorator(
                upstream: upstream, clock: fixture.clock, logger: fixture.log.logger)
        },
        .wrapping("concurrency_limit") { _, upstream in
            ConcurrencyLimitProductsProviderDecorator(upstream: upstream, max: 10, queue: 100)
        },
        .wrapping("fault") { _, upstream in FaultProductsProvider(upstream: upstream) },
    ]
}
