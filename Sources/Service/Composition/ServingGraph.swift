public import Configuration
public import Products
internal import Providers

/// A graph that was made from a config file, with what has to run and to be closed beside it.
public struct ServingGraph: Sendable {
    /// The provider that is asked.
    public let provider: any ProductsProvider
    /// What the provider is, and what it is built on.
    public let outline: ComponentOutline
    /// What runs while the graph is used: monitors, background refreshes.
    public let backgroundJobs: [BackgroundJob]
    /// What is closed when it is not used any more, in this order where one is built on the other.
    public let shutdownHooks: [ShutdownHook]
    /// What is known of the providers while they serve; nil where nobody looks at them.
    let observation: GraphObservation?
    /// What there is to tell of at a scrape.
    let components: GraphComponents
    /// Held as long as requests may come in.
    let tenancy: GraphTenancy

    /// Makes the graph. Opens no connection and writes nothing.
    public init(_ configuration: LoadedConfiguration, resources: ComponentResources) throws {
        try self.init(configuration, in: Assembly(resources: resources))
    }

    /// Makes the graph in an assembly, which may take components over from the one before.
    init(_ configuration: LoadedConfiguration, in assembly: Assembly) throws {
        provider = try configuration.root.instantiate(in: assembly)
        outline = configuration.root.outline
        backgroundJobs = assembly.backgroundJobs
        shutdownHooks = assembly.shutdownHooks.reversed()
        observation = assembly.optionalResource(GraphObservation.self)
        components = GraphComponents(assembly, root: outline)
        tenancy = assembly.optionalResource(GraphTenancy.self) ?? GraphTenancy()
    }

    /// The catalogue that it answers from.
    var catalogueInFront: CatalogueInFront { CatalogueInFront(outline, observation) }

    /// Comes when nobody holds the graph or any of its providers any more.
    var vacancy: GraphVacancy { tenancy.vacancy }

    /// Closes everything.
    public func close() async {
        await shutdownHooks.close()
    }

    /// The hooks of what was made for this graph, and not taken over from another one.
    var ownHooks: [ShutdownHook] { shutdownHooks.filter { !$0.isTakenOver } }

    /// The hooks of what is not used any more when another graph has taken the place of this one.
    func hooks(notTakenOverBy successor: ServingGraph) -> [ShutdownHook] {
        let takenOver = Set(successor.shutdownHooks.filter(\.isTakenOver).map(\.owner))
        return shutdownHooks.filter { !takenOver.contains($0.owner) }
    }
}
