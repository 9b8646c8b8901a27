internal import ServiceLifecycle

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
