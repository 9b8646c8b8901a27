/// One instantiation of a checked config: what the components are made from, and what they need to run and to stop.
///
/// Each reload makes a new assembly that is told of the one before. What its family lets be taken over, and did not
/// change, is taken over as it is; other components are made anew, and may ask for the state they kept in the old one.
/// An assembly is used on one thread at a time while the graph is made.
public final class Assembly {
    /// The jobs of all components, in the order in which these were made.
    public var backgroundJobs: [BackgroundJob] { order.flatMap { made[$0]?.jobs ?? [] } }
    /// The hooks of all components in the order of registration, which is upstream first. They are to be closed in
    /// reverse, as `shutDown()` does: what was made last uses what was made before.
    public var shutdownHooks: [ShutdownHook] { order.flatMap { made[$0]?.hooks ?? [] } }

    private let resources: ComponentResources
    private var previous: [String: MadeComponent]
    private var previousOrder: [String]
    private var made: [String: MadeComponent] = [:]
    private var order: [String] = []
    /// The components that are being made at this moment, innermost last.
    private var open: [MadeComponent] = []

    /// Creates an assembly that hands out `resources`.
    ///
    /// - Parameter previous: the assembly whose graph the new one will replace. It is only read.
    public init(resources: ComponentResources, replacing previous: Assembly? = nil) {
        self.resources = resources
        self.previous = previous?.made ?? [:]
        previousOrder = previous?.order ?? []
    }

    /// The resource of this type. Its absence is a mistake of the composition root, not of the config, and traps.
    public func resource<T: Sendable>(_ type: T.Type) -> T {
        guard let resource = optionalResource(type) else {
            preconditionFailure("a component asks for a \(type), which ComponentResources does not hold")
        }
        return resource
    }

    /// The resource of this type, where the composition root has one.
    public func optionalResource<T: Sendable>(_ type: T.Type) -> T? {
        resources.get(type)
    }

    /// Has `run` started when the service starts, and cancelled when it stops.
    public func background(_ name: String, _ run: @escaping @Sendable () async throws -> Void) {
        register { $0.jobs.append(BackgroundJob(name: name, owner: $0.outline.id, isTakenOver: false, run: run)) }
    }

    /// Has `close` called when the service stops, before the hooks of what the component is built on.
    public func onShutdown(_ name: String, _ close: @escaping @Sendable () async -> Void) {
        register { component in
            let (id, height) = (component.outline.id, component.outline.height)
            component.hooks.append(
                ShutdownHook(name: name, owner: id, isTakenOver: false, close: close, height: height))
        }
    }

    /// The state of the component that is being made: what its predecessor kept, or else what `make` makes.
    ///
    /// - Parameter part: starts afresh when this is not as it was.
    public func state<State: Sendable>(ifUnchanged part: ComponentPart, _ make: () -> State) -> State {
        let state = kept(by: current, ifUnchanged: part) ?? make()
        register { $0.state = state }
        return state
    }

    /// The state of the component that is being made, as `make` makes it from what its predecessor keeps, if there is
    /// one.
    ///
    /// What the predecessor keeps is to be left as it is: the new graph may be refused, and the predecessor goes on
    /// then.
    public func state<State: Sendable>(following make: (State?) -> State) -> State {
        let state = make(kept(by: current, ifUnchanged: .type))
        register { $0.state = state }
        return state
    }

    /// Whether the component that is being made is built on what its predecessor is built on; true without one.
    public var isBuiltOnTheSame: Bool {
        previous[current.id]?.outline.hasSameChildren(as: current) ?? true
    }

    /// The components of a family, whether made or taken over, in the order in which they were made: for looking at all
    /// of them, such as for metrics.
    public func components<F: ComponentFamily>(
        of family: F.Type
    ) -> [(outline: ComponentOutline, instance: F.Instance)] {
        order.compactMap { made[$0] }.filter { $0.outline.family == F.noun }
            .compactMap { component in (component.instance as? F.Instance).map { (component.outline, $0) } }
    }

    /// Lets go of the assembly before, once all is made: what was not taken over may end.
    public func forgetPrevious() {
        previous = [:]
        previousOrder = []
    }

    /// Runs all shutdown hooks. Background jobs are their runner's to cancel.
    public func shutDown() async {
        await shutdownHooks.reversed().close()
    }

    /// The component with this outline, made by `make` when it is wanted for the first time.
    func instance<F: ComponentFamily>(
        of family: F.Type, _ outline: ComponentOutline, _ make: (Assembly) throws -> F.Instance
    ) throws -> F.Instance {
        if let instance = made[outline.id]?.instance as? F.Instance { return instance }
        if F.isTakenOver, let old = previous[outline.id], old.outline.isSame(as: outline),
            let instance = old.instance as? F.Instance
        {
            takeOver(old)
            return instance
        }
        open.append(MadeComponent(outline: outline, instance: ()))
        let fresh: F.Instance
        do {
            fresh = try F.standIn(in: self) ?? make(self)
        } catch {
            open.removeLast()
            throw error
        }
        let component = open.removeLast()
        let instance = F.adopt(fresh, as: outline, in: self)
        keep(component.holding(instance))
        return instance
    }

    /// What a component is built on it uses as long as it is used itself, so that comes along, in the order in which it
    /// was made.
    private func takeOver(_ component: MadeComponent) {
        let branch = Set(component.outline.all.map(\.id))
        for id in previousOrder where branch.contains(id) && made[id] == nil {
            if let part = previous[id] { keep(part.takenOver) }
        }
    }

    private func kept<State>(by outline: ComponentOutline, ifUnchanged part: ComponentPart) -> State? {
        guard let old = previous[outline.id], old.outline.type == outline.type,
            part.isSame(in: old.outline, outline)
        else { return nil }
        return old.state as? State
    }

    private func keep(_ component: MadeComponent) {
        made[component.outline.id] = component
        order.append(component.outline.id)
    }

    private func register(_ change: (inout MadeComponent) -> Void) {
        change(&open[innermost])
    }

    /// The component that is being made.
    private var current: ComponentOutline { open[innermost].outline }

    private var innermost: Int {
        precondition(!open.isEmpty, "only a component that is being made has state, jobs and hooks")
        return open.count - 1
    }
}

/// A component as an assembly made it, with what belongs to it.
struct MadeComponent {
    let outline: ComponentOutline
    let instance: Any
    var jobs: [BackgroundJob] = []
    var hooks: [ShutdownHook] = []
    /// State that the component wants to find again after a reload.
    var state: (any Sendable)?

    /// The same component in the assembly after.
    var takenOver: MadeComponent {
        var component = self
        component.jobs = jobs.map(\.takenOver)
        component.hooks = hooks.map(\.takenOver)
        return component
    }

    /// The same component, made.
    func holding(_ instance: Any) -> MadeComponent {
        MadeComponent(outline: outline, instance: instance, jobs: jobs, hooks: hooks, state: state)
    }
}

/// What of a component has to be as it was before a reload, for its state to stay good.
public enum ComponentPart: Sendable {
    /// Its type alone: the state depends on nothing that the config says.
    case type
    /// Its own fields; what it is built on may be another, within it or referred to.
    case settings
    /// Its own fields and everything that it is built on: the state is knowledge about what is below.
    case branch

    /// Whether this part of two components of one type is the same.
    func isSame(in old: ComponentOutline, _ new: ComponentOutline) -> Bool {
        switch self {
        case .type: true
        case .settings: old.hasSameSettings(as: new)
        case .branch: old.isSame(as: new)
        }
    }
}
