internal import ServiceLifecycle

/// Says that the service is not ready as soon as it is told to stop. It starts last and so stops first: load balancers
/// need not wait for what takes its time, such as a reload that is under way.
struct Unreadying: Service {
    let readiness: ReadinessTracker

    func run() async throws {
        try await gracefulShutdown()
        readiness.startDraining()
    }
}
