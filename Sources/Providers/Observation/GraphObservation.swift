package import Concurrency
package import Products
package import Tracing

/// Observes the providers of one graph: their calls, their states, and the path of the last answer.
///
/// The wiring wraps each provider with it. A graph without an observation is not observed.
package final class GraphObservation: Sendable {
    private let root: String
    private let wallClock: WallClock
    private let traces: RecentTraces
    /// The counters of the previous graph, which are continued.
    private let earlier: [String: NodeObservation]
    private let providers = Mutex<[String: ObservedProductsProvider]>([:])

    /// Creates an observation of a new graph.
    ///
    /// - Parameters:
    ///   - root: the id of the provider that receives requests.
    ///   - previous: the observation of the replaced graph. Providers with the same id and type continue its counters.
    ///   - tracer: records the spans of refreshes; nil to record none.
    package init(
        root: String, wallClock: WallClock, replacing previous: GraphObservation? = nil, tracer: Tracer? = nil
    ) {
        self.root = root
        self.wallClock = wallClock
        traces = previous?.traces ?? RecentTraces(tracer: tracer)
        earlier = previous?.providers.withLock { $0.mapValues(\.node) } ?? [:]
    }

    /// The spans of the last answer, in the order in which the providers were asked; the first is the graph's root.
    package var lastAnswer: [TraceSpan] { traces.answer }

    /// The spans of the last request that no memory could answer at once: a refresh, or an answer without a memory.
    package var lastRefresh: [TraceSpan] { traces.refresh }

    /// The record of refreshes, for providers that keep answers.
    package var refreshes: RefreshTraces { RefreshTraces(traces) }

    package func counts(of id: String) -> NodeCounts? {
        providers.withLock { $0[id] }?.node.counts
    }

    /// Returns the state of the provider with this id; empty if it reports none.
    package func liveState(of id: String) -> [LiveStateEntry] {
        (providers.withLock { $0[id] }?.upstream as? any StateReporting)?.report.entries ?? []
    }

    /// Registers the providers of a graph, including those taken over from the previous one.
    package func register(_ made: [(id: String, provider: any ProductsProvider)]) {
        let made = made.compactMap { id, provider in (provider as? ObservedProductsProvider).map { (id, $0) } }
        providers.withLock { $0 = Dictionary(made) { $1 } }
    }

    /// Moves the registered providers from the previous graph to its successor.
    package func takeOver(into graphUse: GraphUse) {
        for (id, provider) in providers.withLock({ $0 }) { provider.join(graphUse, isRoot: id == root) }
    }

    /// Returns the provider with an observer around it.
    ///
    /// - Parameters:
    ///   - id: the provider's place in the config.
    ///   - graphUse: retained for the provider's lifetime.
    package func observed(
        _ provider: any ProductsProvider, id: String, type: String, holding graphUse: GraphUse?
    ) -> any ProductsProvider {
        let known = earlier[id].flatMap { $0.type == type ? $0 : nil }
        return ObservedProductsProvider(
            upstream: provider, node: known ?? NodeObservation(id: id, type: type),
            isRoot: id == root, traces: traces, wallClock: wallClock, graphUse: graphUse)
    }
}

/// Keeps a graph open. The edition that admits requests holds one, and so does each provider.
///
/// Providers hold a use because a background refresh belongs to no request: it retains its provider until it ends. The
/// sinks and stores of a drained graph are not used any more. Providers taken over by a reload hold a use of the new
/// graph; providers that are not observed hold none.
package final class GraphUse: Sendable {
    /// Signalled when the last holder has released the graph.
    package let drained = GraphDrained()

    package init() {}

    deinit {
        drained.declare()
    }
}

/// Signals that a graph is no longer used. See `GraphUse`.
package struct GraphDrained: Sendable {
    private let waiting: AsyncStream<Never>
    private let end: AsyncStream<Never>.Continuation

    package init() {
        (waiting, end) = AsyncStream.makeStream(of: Never.self)
    }

    /// Signals. Further calls have no effect.
    package func declare() {
        end.finish()
    }

    /// Waits for the signal. Only one task may wait.
    package func wait() async {
        for await _ in waiting {}
    }
}
