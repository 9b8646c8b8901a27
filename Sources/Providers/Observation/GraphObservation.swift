package import Concurrency
package import Products

/// Observes the providers of one graph: their calls, their states, and the path of the last answer.
///
/// The wiring asks it to wrap each provider; a graph without one is not observed.
package final class GraphObservation: Sendable {
    private let root: String
    private let wallClock: WallClock
    private let traces: RecentTraces
    /// The counters of the graph before, to go on with.
    private let earlier: [String: NodeObservation]
    private let providers = Mutex<[String: ObservedProductsProvider]>([:])

    /// Observes a graph that is about to be made.
    ///
    /// - Parameters:
    ///   - root: the id of the provider at which requests come in.
    ///   - previous: the observation of the graph that is to be replaced. Providers of the same id and type go on
    ///     counting.
    package init(root: String, wallClock: WallClock, replacing previous: GraphObservation? = nil) {
        self.root = root
        self.wallClock = wallClock
        traces = previous?.traces ?? RecentTraces()
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

    /// The providers that report a state, by their ids.
    package var reporters: [(id: String, reporter: any StateReporting)] {
        providers.withLock { $0 }.sorted { $0.key < $1.key }.compactMap { id, provider in
            (provider.upstream as? any StateReporting).map { (id, $0) }
        }
    }

    /// Registers the providers of a graph that has been made, also those taken over from the graph before.
    package func register(_ made: [(id: String, provider: any ProductsProvider)]) {
        let made = made.compactMap { id, provider in (provider as? ObservedProductsProvider).map { (id, $0) } }
        providers.withLock { $0 = Dictionary(made) { $1 } }
    }

    /// Binds the registered providers to the graph that takes over from the one before, which they leave.
    package func takeOver(into graphUse: GraphUse) {
        for (id, provider) in providers.withLock({ $0 }) { provider.join(graphUse, isRoot: id == root) }
    }

    /// Returns the provider with an observer around it.
    ///
    /// - Parameters:
    ///   - id: the provider's place in the config.
    ///   - graphUse: held as long as the provider is.
    package func observed(
        _ provider: any ProductsProvider, id: String, type: String, holding graphUse: GraphUse?
    ) -> any ProductsProvider {
        let known = earlier[id].flatMap { $0.type == type ? $0 : nil }
        return ObservedProductsProvider(
            upstream: provider, node: known ?? NodeObservation(id: id, type: type),
            isRoot: id == root, traces: traces, wallClock: wallClock, graphUse: graphUse)
    }
}

/// A lease on a graph, held by everything that may still ask its providers: the edition that lets requests in, and each
/// provider itself.
///
/// Providers hold it because a refresh behind an answer belongs to
/// no request: it holds the provider that it asks until it has ended. So nothing logs to a sink, or saves to a store, of
/// a graph that is vacant. Providers that are taken over after a reload hold the lease of the new graph. Providers that
/// are not observed hold none.
package final class GraphUse: Sendable {
    /// Comes when the last holder has let go.
    package let drained = GraphDrained()

    package init() {}

    deinit {
        drained.declare()
    }
}

/// The moment after which a graph is not asked any more. See `GraphUse`.
package struct GraphDrained: Sendable {
    private let waiting: AsyncStream<Never>
    private let end: AsyncStream<Never>.Continuation

    package init() {
        (waiting, end) = AsyncStream.makeStream(of: Never.self)
    }

    /// Declares that it has come. Further calls have no effect.
    package func declare() {
        end.finish()
    }

    /// Returns when it has come. Only one task may wait.
    package func wait() async {
        for await _ in waiting {}
    }
}
