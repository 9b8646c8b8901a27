/// One instantiation of a checked config: what the components are made from, and what they need to run and to stop.
///
/// Each reload makes a new assembly, so nothing is shared between an old graph and its successor. An assembly is used
/// on one thread at a time while the graph is made.
public final class Assembly {
    /// The jobs of all components made so far, in order.
    public private(set) var backgroundJobs: [BackgroundJob] = []
    /// The hooks of all components made so far, in the order of registration, which is upstream first. They are to run
    /// in reverse, as `shutDown()` does: what was made last uses what was made before.
    public private(set) var shutdownHooks: [ShutdownHook] = []

    private let resources: ComponentResources
    private var instances: [LabelKey: Any] = [:]

    /// Creates an assembly that hands out `resources`.
    public init(resources: ComponentResources) {
        self.resources = resources
    }

    /// The resource of this type. Its absence is a mistake of the composition root, not of the config, and traps.
    public func resource<T: Sendable>(_ type: T.Type) -> T {
        guard let resource = resources.get(type) else {
            preconditionFailure("a component asks for a \(type), which ComponentResources does not hold")
        }
        return resource
    }

    /// Has `run` started when the service starts, and cancelled when it stops.
    public func background(_ name: String, _ run: @escaping @Sendable () async throws -> Void) {
        backgroundJobs.append(BackgroundJob(name: name, run: run))
    }

    /// Has `close` called when the service stops, before the hooks of components made earlier.
    public func onShutdown(_ name: String, _ close: @escaping @Sendable () async -> Void) {
        shutdownHooks.append(ShutdownHook(name: name, close: close))
    }

    /// Runs all shutdown hooks, last registered first. Background jobs are their runner's to cancel.
    public func shutDown() async {
        for hook in shutdownHooks.reversed() { await hook.close() }
    }

    /// The instance with this label, made by `make` when it is wanted for the first time.
    func instance<Instance>(_ key: LabelKey, _ make: () throws -> Instance) rethrows -> Instance {
        if let instance = instances[key] as? Instance { return instance }
        let instance = try make()
        instances[key] = instance
        return instance
    }
}
