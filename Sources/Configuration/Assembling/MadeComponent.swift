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
