/// One instantiation of a checked config: the components, with their background jobs and shutdown hooks.
///
/// Each reload makes a new assembly that replaces the previous one. A component is taken over if neither its settings
/// nor anything below it has changed; the assembly makes the others. A new component may copy the state of its
/// predecessor. While the graph is made, one thread at a time uses an assembly.
public final class Assembly {
    /// The background jobs of all components, in the order in which the components were made.
    public var backgroundJobs: [BackgroundJob] { order.flatMap { made[$0]?.jobs ?? [] } }
    /// The shutdown hooks of all components in the order of registration, upstream first. `shutDown()` runs them in
    /// reverse, because a component uses those that were made before it.
    public var shutdownHooks: [ShutdownHook] { order.flatMap { made[$0]?.hooks ?? [] } }

    private let resources: ComponentResources
    private var previous: [String: MadeComponent]
    private var previousOrder: [String]
    private var made: [String: MadeComponent] = [:]
    private var order: [String] = []
    /// The components under construction, innermost last.
    private var open: [MadeComponent] = []

    /// Creates an assembly with these resources.
    ///
    /// - Parameter previous: the assembly that this one replaces. It is only read.
    public init(resources: ComponentResources, replacing previous: Assembly? = nil) {
        self.resources = resources
        self.previous = previous?.made ?? [:]
        previousOrder = previous?.order ?? []
    }

    /// Returns the resource of this type. Without one it traps: that is a fault of the composition root, not of the
    /// config.
    public func resource<T: Sendable>(_ type: T.Type) -> T {
        guard let resource = optionalResource(type) else {
            preconditionFailure("a component asks for a \(type), which ComponentResources does not hold")
        }
        return resource
    }

    /// Returns the resource of this type, or nil if there is none.
    public func optionalResource<T: Sendable>(_ type: T.Type) -> T? {
        resources.get(type)
    }

    /// Registers a job that is started with the service and cancelled when the service stops.
    public func background(
        _ name: String, startsEarly: Bool = false, _ run: @escaping @Sendable () async throws -> Void
    ) {
        register { component in
            let id = component.outline.id
            component.jobs.append(BackgroundJob(name: name, owner: id, startsEarly: startsEarly, run: run))
        }
    }

    /// Registers a hook that runs when the service stops, before the hooks of the components below.
    public func onShutdown(_ name: String, _ close: @escaping @Sendable () async -> Void) {
        register { component in
            let (id, height) = (component.outline.id, component.outline.height)
            component.hooks.append(ShutdownHook(name: name, owner: id, close: close, height: height))
        }
    }

    /// Makes the state of the component under construction from the state of its predecessor: the component with the
    /// same id and type before the reload, nil without one.
    ///
    /// `make` must not change the old state, because the new graph may be refused and the old one then stays in force.
    public func state<State: Sendable>(_ make: (State?) -> State) -> State {
        let old = previous[current.id].flatMap { $0.outline.type == current.type ? $0.state as? State : nil }
        let state = make(old)
        register { $0.state = state }
        return state
    }

    /// Whether everything below the component under construction is unchanged by the reload; true without a reload.
    public var isBuiltOnTheSame: Bool {
        previous[current.id]?.outline.hasSameChildren(as: current) ?? true
    }

    /// Returns the components of a family, made or taken over, in the order in which they were made.
    public func components<F: ComponentFamily>(
        of family: F.Type
    ) -> [(outline: ComponentOutline, instance: F.Instance)] {
        order.compactMap { made[$0] }.filter { $0.outline.family == F.noun }
            .compactMap { component in (component.instance as? F.Instance).map { (component.outline, $0) } }
    }

    /// Releases the components of the replaced assembly, after everything is made.
    public func forgetPrevious() {
        previous = [:]
        previousOrder = []
    }

    /// Runs all shutdown hooks. The runner of the background jobs cancels them.
    public func shutDown() async {
        await shutdownHooks.reversed().close()
    }

    /// Returns the component of this outline; the first call makes it or takes it over.
    func instance<F: ComponentFamily>(
        of family: F.Type, _ outline: ComponentOutline, _ make: (Assembly) throws -> F.Instance
    ) throws -> F.Instance {
        if let instance = made[outline.id]?.instance as? F.Instance { return instance }
        if let old = previous[outline.id], old.outline.isSame(as: outline), let instance = old.instance as? F.Instance {
            takeOver(old)
            return instance
        }
        open.append(MadeComponent(outline: outline, instance: ()))
        let instance: F.Instance
        do {
            instance = try F.instance(of: outline, in: self) { try make(self) }
        } catch {
            open.removeLast()
            throw error
        }
        var component = open.removeLast()
        component.instance = instance
        keep(component)
        return instance
    }

    /// Takes over a component with everything below it, in the order of their construction.
    private func takeOver(_ component: MadeComponent) {
        let branch = Set(component.outline.all.map(\.id))
        for id in previousOrder where branch.contains(id) && made[id] == nil {
            if let part = previous[id] { keep(part.takenOver) }
        }
    }

    private func keep(_ component: MadeComponent) {
        made[component.outline.id] = component
        order.append(component.outline.id)
    }

    private func register(_ change: (inout MadeComponent) -> Void) {
        change(&open[innermost])
    }

    /// The component under construction.
    private var current: ComponentOutline { open[innermost].outline }

    private var innermost: Int {
        precondition(!open.isEmpty, "state, jobs and hooks belong to a component under construction")
        return open.count - 1
    }
}

/// A component of an assembly, with its jobs, hooks and state.
struct MadeComponent {
    let outline: ComponentOutline
    var instance: Any
    var jobs: [BackgroundJob] = []
    var hooks: [ShutdownHook] = []
    /// State that a changed component copies after a reload.
    var state: (any Sendable)?

    /// The component as the next assembly takes it over.
    var takenOver: MadeComponent {
        var component = self
        for index in jobs.indices { component.jobs[index].isTakenOver = true }
        for index in hooks.indices { component.hooks[index].isTakenOver = true }
        return component
    }
}
