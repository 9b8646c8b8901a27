internal import ServiceLifecycle

/// Keeps the graph warm until the service stops. An answer that is waited for then is left behind: a graph may let
/// nobody hurry it, and an upstream that hangs must not take the time of what comes after.
struct WarmKeeping: Service {
    let keepWarm: KeepWarm

    func run() async throws {
        let warming = Task.detached { [keepWarm] in try? await keepWarm.run() }
        try? await gracefulShutdown()
        warming.cancel()
    }
}
