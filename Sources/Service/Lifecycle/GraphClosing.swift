internal import ServiceLifecycle

/// Closes the graph's sinks and stores when everything that uses them has stopped.
struct GraphClosing: Service {
    let graph: ServingGraph

    func run() async throws {
        try await gracefulShutdown()
        await graph.close()
    }
}
