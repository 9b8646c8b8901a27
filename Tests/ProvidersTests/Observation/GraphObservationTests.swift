internal import Configuration
internal import FileSystem
internal import Logging
internal import Products
internal import ProvidersTestSupport
internal import TestSupport
internal import Testing
internal import Upstreams
internal import Wiring

@testable internal import Providers

@Suite(.timeLimit(.minutes(1)))
struct GraphObservationTests {
    private let wall = ManualWallClock()
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test
    func `calls, answers and failures are counted for each provider, and the last failure is dated`() async throws {
        let observation = makeObservation()
        let provider = try make(fallback, observation)
        try serve("Mug")
        _ = try await provider.ask()
        wall.advance(by: .seconds(5))
        try Files.remove(directory("products.json"))
        _ = try await provider.failure()
        let file = try #require(observation.counts(of: "providers.p.secondary"))
        #expect((file.calls, file.answers, file.failures, file.inFlight) == (2, 1, 1, 0))
        #expect(file.lastFailure?.failure.token == "store-failed")
        #expect(file.lastFailure?.time == wall.now)
        let root = try #require(observation.counts(of: "providers.p"))
        #expect((root.calls, root.answers, root.failures) == (2, 1, 1))
        #expect(observation.counts(of: "providers.p.primary")?.failures == 2)
        #expect(observation.counts(of: "providers.q") == nil)
    }

    @Test func `what a memory had at hand counts as a hit, in it and above it, and not below`() async throws {
        let observation = makeObservation()
        let provider = try make("{ type: validated, upstream: { type: memory, upstream: \(file) } }", observation)
        try serve("Mug")
        for _ in 0..<4 { _ = try await provider.ask() }
        #expect(observation.counts(of: "providers.p")?.hits == 3)
        #expect(observation.counts(of: "providers.p.upstream")?.hitRatio == 0.75)
        #expect(observation.counts(of: "providers.p.upstream.upstream")?.hits == 0)
        #expect(observation.counts(of: "providers.p.upstream.upstream")?.calls == 1)
    }

    @Test func `the way of the last answer has those who were asked, by whom, and what came of it`() async throws {
        let observation = makeObservation()
        let provider = try make(fallback, observation)
        try serve("Mug")
        _ = try await provider.ask()
        #expect(
            observation.lastAnswer.map { "\($0.parent ?? -1) \($0.node)" } == [
                "-1 providers.p", "0 providers.p.primary", "0 providers.p.secondary",
            ])
        #expect(observation.lastAnswer.map(\.outcome) == [.answered, .failed(.notStored), .answered])
        #expect(observation.lastRefresh.map(\.node) == observation.lastAnswer.map(\.node))
    }

    @Test func `a hit is a way of one, and the way that brought what is kept stays to be seen`() async throws {
        let observation = makeObservation()
        let provider = try make("{ type: memory, upstream: \(file) }", observation)
        try serve("Mug")
        _ = try await provider.ask()
        #expect(observation.lastAnswer.map(\.node) == ["providers.p", "providers.p.upstream"])
        for _ in 0..<50 { _ = try await provider.ask() }
        #expect(observation.lastAnswer.map(\.node) == ["providers.p"])
        #expect(observation.lastRefresh.map(\.node) == ["providers.p", "providers.p.upstream"])
    }

    @Test func `a hit in a memory below the root is no refresh either`() async throws {
        let observation = makeObservation()
        let provider = try make("{ type: validated, upstream: { type: memory, upstream: \(file) } }", observation)
        try serve("Mug")
        _ = try await provider.ask()
        _ = try await provider.ask()
        #expect(observation.lastAnswer.count == 2)
        #expect(observation.lastRefresh.count == 3)
    }

    @Test func `a thousand requests at once are all counted, and leave a whole way`() async throws {
        let observation = makeObservation()
        let provider = try make(fallback, observation)
        try serve("Mug")
        await withTaskGroup { group in
            for _ in 0..<1000 { group.addTask { _ = try? await provider.ask() } }
        }
        let counts = try #require(observation.counts(of: "providers.p"))
        #expect((counts.calls, counts.answers, counts.hits, counts.inFlight) == (1000, 1000, 0, 0))
        #expect(observation.lastAnswer.count == 3)
        #expect(observation.lastAnswer.allSatisfy { $0.outcome != .running })
    }

    @Test func `after a reload providers of the same id and type go on counting, others begin anew`() async throws {
        let first = makeObservation()
        try serve("Mug")
        _ = try await make(fallback, first).ask()
        let second = makeObservation(replacing: first)
        let yaml = "{ type: fallback, primary: \(file), secondary: \(file) }"
        let provider = try make(yaml, second)
        #expect(second.lastAnswer.count == 3)
        _ = try await provider.ask()
        #expect(second.counts(of: "providers.p")?.calls == 2)
        #expect(second.counts(of: "providers.p.primary")?.calls == 1)
        #expect(second.counts(of: "providers.p.secondary")?.calls == 1)
        #expect(first.counts(of: "providers.p.primary")?.calls == 1)
    }

    @Test
    func
        `a provider that is taken over goes on counting, and holds the lease of the new graph in place of the old one`()
        async throws
    {
        try serve("Mug")
        let (first, second, lease) = (makeObservation(), makeObservation(), GraphUse())
        weak var oldLease: GraphUse?
        let provider: any ProductsProvider
        do {
            let old = GraphUse()
            oldLease = old
            let made = try make(file, first, old)
            _ = try await made.provider.ask()
            let next = try make(file, second, lease, replacing: made.assembly)
            next.assembly.forgetPrevious()
            provider = next.provider
        }
        #expect(oldLease != nil)
        second.takeOver(into: lease)
        #expect(oldLease == nil)
        _ = try await provider.ask()
        #expect(second.counts(of: "providers.p")?.calls == 2)
    }

    @Test func `a provider with a state of its own shows it`() async throws {
        let observation = makeObservation()
        let provider = try make("{ type: memory, upstream: \(file) }", observation)
        #expect(
            observation.liveState(of: "providers.p") == [
                LiveStateEntry("freshness", "empty"), LiveStateEntry("age_seconds", "none"),
                LiveStateEntry("products", "none"), LiveStateEntry("revision", "none"), LiveStateEntry("variants", "1"),
            ])
        try serve("Mug")
        _ = try await provider.ask()
        wall.advance(by: .seconds(40))
        #expect(
            observation.liveState(of: "providers.p") == [
                LiveStateEntry("freshness", "idle"), LiveStateEntry("age_seconds", "40"),
                LiveStateEntry("products", "3"),
                LiveStateEntry("revision", String(makeCatalogue().revision.prefix(12))),
                LiveStateEntry("variants", "1"),
            ])
        #expect(observation.liveState(of: "providers.p.upstream").isEmpty)
    }

    @Test func `a graph that nobody observes is used as it was made`() throws {
        let (provider, _) = try makeProvider(file)
        #expect(provider is FileProductsProvider)
    }

    private var file: String { "{ type: file, path: \(directory("products.json")) }" }

    private var fallback: String {
        """
        { type: fallback, primary: { type: stored, store: { type: json_file, directory: \(directory("store")) } }, \
        secondary: \(file) }
        """
    }

    private func serve(_ name: String) throws {
        try Files.create(directory("products.json"), makeBody(name))
    }

    private func makeObservation(replacing previous: GraphObservation? = nil) -> GraphObservation {
        GraphObservation(root: "providers.p", wallClock: wall.wallClock, replacing: previous)
    }

    private func make(_ yaml: String, _ observation: GraphObservation) throws -> any ProductsProvider {
        try make(yaml, observation, GraphUse()).provider
    }

    private func make(
        _ yaml: String, _ observation: GraphObservation, _ lease: GraphUse, replacing previous: Assembly? = nil
    ) throws -> (provider: any ProductsProvider, assembly: Assembly) {
        var resources = makeResources(LogRecorder(), wall.wallClock)
        resources.set(observation)
        resources.set(lease)
        let made = try makeProvider(yaml, resources: resources, replacing: previous)
        observation.register(
            made.assembly.components(of: ProviderFamily.self).map { ($0.outline.id, $0.instance) })
        return made
    }
}
