public import Concurrency
internal import Configuration
internal import Products

/// Watches the providers of one graph: what became of their calls, how they are, and which way the last answer took.
///
/// It is a resource of the assembly that makes the graph; without it the graph is not watched and nothing is wrapped.
/// The graph does not hold it, since it holds those of its providers that have a state to show.
public final class GraphObservation: Sendable {
    private struct State {
        var nodes: [String: NodeObservation] = [:]
        var reporters: [String: any LiveStateReporting] = [:]
    }

    private let root: String
    private let wallClock: WallClock
    private let ways: RecentWays
    /// The counters of the graph before, to go on with.
    private let earlier: [String: NodeObservation]
    private let state = Mutex(State())

    /// Watches a graph that is about to be made.
    ///
    /// - Parameters:
    ///   - root: the id of the provider at which requests come in.
    ///   - wallClock: what failures are dated by.
    ///   - previous: the observation of the graph that is going to be replaced. Providers that are in both, by id and
    ///     type, go on counting.
    public init(root: String, wallClock: WallClock, replacing previous: GraphObservation? = nil) {
        self.root = root
        self.wallClock = wallClock
        ways = previous?.ways ?? RecentWays()
        earlier = previous?.state.withLock(\.nodes) ?? [:]
    }

    /// The way of the last answer: the providers that were asked, in that order; the first is the graph's root.
    public var lastAnswer: [Visit] { ways.answer }

    /// The way of the last question for which nobody had an answer at hand: a refresh, or an answer without a memory.
    public var lastRefresh: [Visit] { ways.refresh }

    /// What was counted for the provider with this id; nil when there is none.
    public func counts(of id: String) -> NodeCounts? {
        state.withLock { $0.nodes[id] }?.counts
    }

    /// How the provider with this id is, where it has a state of its own.
    public func liveState(of id: String) -> [LiveStateEntry] {
        state.withLock { $0.reporters[id] }?.liveState ?? []
    }

    /// The providers that have a state of their own, by their ids.
    public var reporters: [(id: String, reporter: any LiveStateReporting)] {
        state.withLock { Array($0.reporters) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The provider, watched from now on.
    ///
    /// - Parameter tenancy: is held by whoever holds the provider.
    func observed(
        _ provider: any ProductsProvider, as outline: ComponentOutline, holding tenancy: GraphTenancy?
    ) -> any ProductsProvider {
        let node = node(of: outline)
        state.withLock { state in
            state.nodes[outline.id] = node
            state.reporters[outline.id] = provider as? any LiveStateReporting
        }
        return ObservedProductsProvider(
            upstream: provider, node: node, isRoot: outline.id == root, ways: ways, wallClock: wallClock,
            tenancy: tenancy)
    }

    private func node(of outline: ComponentOutline) -> NodeObservation {
        if let node = earlier[outline.id], node.type == outline.type { return node }
        return NodeObservation(id: outline.id, type: outline.type)
    }
}

/// A provider with a state of its own that is worth a look while it runs, such as a breaker.
///
/// Reading it is for operators and may take a lock; it is never on the path of a request.
public protocol LiveStateReporting: Sendable {
    /// What the state is at this moment: few names, always the same ones, in an order fit for showing.
    var liveState: [LiveStateEntry] { get }
}

/// One line about the state of a provider.
public struct LiveStateEntry: Sendable, Hashable {
    /// What is told, in lower case with underscores: `state`, `in_flight`.
    public let name: String
    /// How it is: `open`, `3`.
    public let value: String

    /// An entry.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What everybody holds who may still ask something of a graph: whoever lets requests in, and each of its providers.
///
/// It is a resource of the assembly that makes the graph. The providers count because a request is not all that asks:
/// a refresh behind an answer belongs to no request, and holds the provider that it asks until it has ended. So nothing
/// logs to a sink, or saves to a store, of a graph that is vacant. Providers that are not observed do not hold it.
public final class GraphTenancy: Sendable {
    /// Comes when the last one has let go.
    public let vacancy = GraphVacancy()

    /// The tenancy of a graph that is about to be made.
    public init() {}

    deinit {
        vacancy.declare()
    }
}

/// The moment from which on nothing can be asked of a graph any more. See `GraphTenancy`.
public struct GraphVacancy: Sendable {
    private let waiting: AsyncStream<Never>
    private let end: AsyncStream<Never>.Continuation

    /// A moment that has not come.
    public init() {
        (waiting, end) = AsyncStream.makeStream(of: Never.self)
    }

    /// Says that it has come. More than once does no harm.
    public func declare() {
        end.finish()
    }

    /// Returns when it has come. For one task only.
    public func wait() async {
        for await _ in waiting {}
    }
}
