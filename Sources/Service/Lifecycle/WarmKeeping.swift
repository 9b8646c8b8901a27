internal import ServiceLifecycle

/// Keeps the graph warm until the service stops.
struct WarmKeeping: Service {
    let keepWarm: KeepWarm

    func run() async throws {
        await cancelWhenGracefulShutdown { try? await keepWarm.run() }
    }
}
