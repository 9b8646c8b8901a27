public import Concurrency
public import Configuration
internal import Products

/// Observes the providers of one graph: their calls, their states, and the path of the last answer.
///
/// It is a resource of the assembly that makes the graph; without it the graph is not observed and nothing is wrapped.
public final class GraphObservation: Sendable {
    private let root: String
    private let wallClock: WallClock
    private let ways: RecentTraces
    /// The counters of the graph before, to go on with.
    private let earlier: [String: NodeObservation]
    private let providers = Mutex<[String: ObservedProductsProvider]>([:])

    /// Observes a graph that is about to be made.
    ///
    /// - Parameters:
    ///   - root: the id of the provider at which requests come in.
    ///   - wallClock: dates failures.
    ///   - previous: the observation of the graph that is to be replaced. Providers of the same id and type go on
    ///     counting.
    public init(root: String, wallClock: WallClock, replacing previous: GraphObservation? = nil) {
        self.root = root
        self.wallClock = wallClock
        ways = previous?.ways ?? RecentTraces()
        earlier = previous?.providers.withLock { $0.mapValues(\.node) } ?? [:]
    }

    /// The visits of the last answer, in the order in which the providers were asked; the first is the graph's root.
    public var lastAnswer: [TraceSpan] { ways.answer }

    /// The visits of the last request that no memory could answer at once: a refresh, or an answer without a memory.
    public var lastRefresh: [TraceSpan] { ways.refresh }

    /// Returns the counts of the provider with this id; nil if there is none.
    public func counts(of id: String) -> NodeCounts? {
        providers.withLock { $0[id] }?.node.counts
    }

    /// Returns the state of the provider with this id; empty if it reports none.
    public func liveState(of id: String) -> [LiveStateEntry] {
        (providers.withLock { $0[id] }?.upstream as? any StateReporting)?.report.entries ?? []
    }

    /// The providers that report a state, by their ids.
    public var reporters: [(id: String, reporter: any StateReporting)] {
        providers.withLock { $0 }.sorted { $0.key < $1.key }.compactMap { id, provider in
            (provider.upstream as? any StateReporting).map { (id, $0) }
        }
    }

    /// Registers the providers of a graph that has been made, also those taken over from the graph before.
    public func register(_ assembly: Assembly) {
        let made = assembly.components(of: ProviderFamily.self).compactMap { outline, instance in
            (instance as? ObservedProductsProvider).map { (outline.id, $0) }
        }
        providers.withLock { $0 = Dictionary(made) { $1 } }
    }

    /// Binds the registered providers to the graph that takes over from the one before, which they leave.
    public func takeOver(into tenancy: GraphLease) {
        for (id, provider) in providers.withLock({ $0 }) { provider.join(tenancy, isRoot: id == root) }
    }

    /// Returns the provider with an observer around it.
    ///
    /// - Parameter tenancy: held as long as the provider is.
    func observed(
        _ provider: any ProductsProvider, as outline: ComponentOutline, holding tenancy: GraphLease?
    ) -> any ProductsProvider {
        let known = earlier[outline.id].flatMap { $0.type == outline.type ? $0 : nil }
        return ObservedProductsProvider(
            upstream: provider, node: known ?? NodeObservation(id: outline.id, type: outline.type),
            isRoot: outline.id == root, ways: ways, wallClock: wallClock, tenancy: tenancy)
    }
}

/// Reports the state of a provider while it runs, for operators. Reading it may take a lock; no request does.
public protocol StateReporting: Sendable {
    /// The state at this moment.
    var report: ProviderReport { get }
}

/// The state of a provider at a moment.
public struct ProviderReport: Sendable {
    /// A few lines for people: always the same names, in a fixed order.
    public let entries: [LiveStateEntry]
    /// The stage of a circuit breaker; nil for other providers.
    public let breaker: CircuitBreakerStage?
    /// The content of a memory; nil for other providers.
    public let memory: MemoryReport?

    /// Makes a report.
    init(entries: [LiveStateEntry], breaker: CircuitBreakerStage? = nil, memory: MemoryReport? = nil) {
        self.entries = entries
        self.breaker = breaker
        self.memory = memory
    }
}

/// One line about the state of a provider.
public struct LiveStateEntry: Sendable, Hashable {
    /// The name, in lower case with underscores: `state`, `in_flight`.
    public let name: String
    /// The value: `open`, `3`.
    public let value: String

    /// Makes an entry.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
