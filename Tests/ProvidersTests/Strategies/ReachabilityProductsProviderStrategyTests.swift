internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Networking
@testable internal import Providers

struct ReachabilityProductsProviderStrategyTests {
    private let monitor = ScriptedMonitor()
    private let remote = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot("Remote")) }
    private let local = ScriptedProvider { ProductsAnswer(snapshot: makeSnapshot("Local", origin: .store)) }

    private var provider: ReachabilityProductsProviderStrategy {
        provider(monitor)
    }

    private func provider(_ monitor: any ReachabilityMonitor) -> ReachabilityProductsProviderStrategy {
        ReachabilityProductsProviderStrategy(
            monitor: monitor,
            remote: ReachabilityRecordingProductsProviderDecorator(upstream: remote, monitor: monitor), local: local)
    }

    @Test func `the monitor's present verdict decides, and no request goes the other way`() async throws {
        for (isReachable, name) in [(true, "Remote"), (false, "Local"), (true, "Remote")] {
            monitor.isReachable = isReachable
            #expect(try await provider.ask().snapshot.revision == makeCatalogue(name).revision)
        }
        #expect(remote.calls == 2)
        #expect(local.calls == 1)
    }

    @Test func `an answer of the local branch says why it is one, and tells the monitor nothing`() async throws {
        monitor.isReachable = false
        let answer = try await provider.ask()
        #expect(answer.steps == ["reachability: offline"])
        #expect(answer.failure?.isConnectionFailure == true)
        #expect(monitor.told == [])
    }

    @Test(
        arguments: [
            (nil, ["success"]), (.unreachable(.refused, detail: ""), ["failure"]),
            (.unreachable(.dns, detail: ""), ["failure"]), (.unreachable(.other, detail: ""), ["failure"]),
            (.timedOut(after: nil, isConnecting: true), ["failure"]), (.timedOut(after: nil), []),
            // These took place over a connection, which a probe would find to be possible.
            (.unreachable(.reset, detail: ""), []), (.unreachable(.truncated, detail: ""), []),
            (.unreachable(.tls, detail: ""), []),
            (.upstreamStatus(503, retryAfter: nil), []), (.malformed(detail: ""), []),
            (.refused(.empty(count: 0, minimum: 1)), []), (.cancelled, []),
        ] as [(ProductsFailure?, [String])])
    func `what becomes of real requests is told to the monitor`(failure: ProductsFailure?, told: [String]) async throws
    {
        if let failure { remote.fails(failure) }
        #expect(try await provider.failure() == failure)
        #expect(monitor.told == told)
        #expect(local.calls == 0)
    }

    @Test
    func `a refresh that an operator forces gets past a monitor that has not noticed the recovery`() async throws {
        monitor.isReachable = false
        let order = RefreshOrder(isForced: true)
        let answer = try await provider.ask(order: order)
        #expect(answer.snapshot.revision == makeCatalogue("Remote").revision)
        #expect(monitor.told == ["success"] && local.calls == 0)
        remote.fails(.upstreamStatus(503, retryAfter: nil))
        let failing = try await provider.ask(order: order)
        #expect(failing.steps == ["reachability: status-503"] && failing.snapshot.origin == .store)
        _ = try await provider.ask(order: RefreshOrder())
        #expect(remote.calls == 2)
    }

    @Test func `an order that puts an operator's choice into force does not wait for an upstream known to be gone`()
        async throws
    {
        monitor.isReachable = false
        remote.hold()
        let answer = try await provider.ask(order: RefreshOrder(isForced: true, supersedes: true))
        #expect(answer.snapshot.origin == .store && remote.calls == 0)
    }

    @Test
    func `a monitor whose probes succeed again says why it takes the upstream for gone: what requests have met`()
        async throws
    {
        remote.fails(.unreachable(.refused, detail: "connection refused by shop:80"))
        _ = try await provider.failure()
        monitor.isReachable = false
        let failure = try await provider.ask().failure
        #expect(
            "\(failure, default: "")".contains(
                "its monitor reports upstream unreachable (refused): connection refused by shop:80"))
    }

    @Test func `a connection failure that the remote branch made good itself counts as one`() async throws {
        remote.does {
            let failed = TrailStep(node: "fallback", outcome: .failed(.unreachable(.refused, detail: "")))
            return ProductsAnswer(snapshot: makeSnapshot(), trail: [failed])
        }
        _ = try await provider.ask()
        #expect(monitor.told == ["failure"])
    }

    @Test func `enough failures of real requests take the upstream for gone`() async throws {
        let learning = LearningMonitor()
        let provider = provider(learning.monitor)
        remote.fails(.unreachable(.refused, detail: ""))
        for _ in 0..<2 { #expect(try await provider.failure()?.token == "refused") }
        #expect(try await provider.ask().snapshot.origin == .store)
        #expect(remote.calls == 2)
    }
}

/// A polling monitor that is never polled, so it knows only what it is told.
private struct LearningMonitor {
    private struct Unasked: ReachabilityProbe {
        func problem() async -> String? { nil }
    }

    let monitor = PollingReachabilityMonitor(
        probe: Unasked(), interval: .seconds(1), fall: 2, rise: 2, clock: ContinuousClock(), onChange: { _ in })
}
