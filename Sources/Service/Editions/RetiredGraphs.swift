internal import Concurrency
internal import Configuration
internal import Providers
internal import ServiceLifecycle

/// The graphs that were replaced and are still in use, by a request or by a refresh. What only they used is closed
/// after them, or when the service stops.
///
/// What a graph leaves open may have been taken over from one before it, where it is in use as long as that one is. So
/// graphs are closed in the order in which they were replaced, and one that leaves nothing open counts as well.
final class RetiredGraphs: Sendable {
    private struct Retired {
        let vacancy: GraphDrained
        /// Comes when it is closed, for the one after it.
        let end: GraphDrained
        let closing: Task<Void, Never>
    }

    private struct State {
        var retired: [Int: Retired] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// How many there are.
    var count: Int { state.withLock(\.retired.count) }

    /// Closes what is left of a graph as soon as it is vacant, and so is each before it.
    func add(_ hooks: [ShutdownHook], vacancy: GraphDrained) {
        state.withLock { state in
            let number = state.next
            state.next += 1
            let earlier = state.retired[number - 1]?.end
            let end = GraphDrained()
            let closing = Task.detached { [self] in
                await earlier?.wait()
                await vacancy.wait()
                await hooks.close()
                self.state.withLock { $0.retired[number] = nil }
                end.declare()
            }
            state.retired[number] = Retired(vacancy: vacancy, end: end, closing: closing)
        }
    }

    /// Waits for nobody any more, and returns when everything is closed. Nothing is in use then, so graphs are closed at
    /// the same time: as many as there may be take no longer than the slowest.
    func close() async {
        let all = state.withLock { Array($0.retired.values) }
        for retired in all {
            retired.vacancy.declare()
            retired.end.declare()
        }
        for retired in all { await retired.closing.value }
    }
}

/// Closes the sinks and stores of the graph in force, and of those before it, when everything that uses them has
/// stopped.
struct GraphClosing: Service {
    let current: CurrentEdition
    let retired: RetiredGraphs

    func run() async throws {
        try await gracefulShutdown()
        await retired.close()
        await current.edition.graph.close()
    }
}
