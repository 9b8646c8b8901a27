internal import Concurrency
internal import Configuration
internal import Providers
internal import ServiceLifecycle

/// The replaced graphs that a request or a refresh still uses. Components that only they use are closed after them, or
/// when the service stops.
///
/// A component may have been taken over from an earlier graph that still uses it. So graphs are closed in the order of
/// their replacement, including those without components to close.
final class RetiredGraphs: Sendable {
    private struct Retired {
        let drained: GraphDrained
        /// Comes when the graph is closed; the next one waits for it.
        let end: GraphDrained
        let closing: Task<Void, Never>
    }

    private struct State {
        var retired: [Int: Retired] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    var count: Int { state.withLock(\.retired.count) }

    /// Runs the hooks of a graph as soon as it and all earlier graphs are released.
    func add(_ hooks: [ShutdownHook], drained: GraphDrained) {
        state.withLock { state in
            let number = state.next
            state.next += 1
            let earlier = state.retired[number - 1]?.end
            let end = GraphDrained()
            let closing = Task.detached { [self] in
                await earlier?.wait()
                await drained.wait()
                await hooks.close()
                self.state.withLock { $0.retired[number] = nil }
                end.declare()
            }
            state.retired[number] = Retired(drained: drained, end: end, closing: closing)
        }
    }

    /// Closes all graphs concurrently, without waiting for their users.
    func close() async {
        let all = state.withLock { Array($0.retired.values) }
        for retired in all {
            retired.drained.declare()
            retired.end.declare()
        }
        for retired in all { await retired.closing.value }
    }
}

/// Closes the components of the graph in force and of replaced ones, after all their users have stopped.
struct GraphClosing: Service {
    let current: CurrentEdition
    let retired: RetiredGraphs

    func run() async throws {
        try await gracefulShutdown()
        await retired.close()
        await current.edition.graph.close()
    }
}
