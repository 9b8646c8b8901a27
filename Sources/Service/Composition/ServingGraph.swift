public import Configuration
public import Products
internal import Providers

/// A graph that was made from a config file, with what has to run and to be closed beside it.
public struct ServingGraph: Sendable {
    /// The provider that is asked.
    public let provider: any ProductsProvider
    /// What runs while the graph is used: monitors, background refreshes.
    public let backgroundJobs: [BackgroundJob]
    /// What is closed when it is not used any more, in this order.
    public let shutdownHooks: [ShutdownHook]

    /// Makes the graph. Opens no connection and writes nothing.
    public init(_ configuration: LoadedConfiguration, resources: ComponentResources) throws {
        let assembly = Assembly(resources: resources)
        provider = try configuration.root.instantiate(in: assembly)
        backgroundJobs = assembly.backgroundJobs
        shutdownHooks = assembly.shutdownHooks.reversed()
    }

    /// Closes everything, one after the other.
    public func close() async {
        for hook in shutdownHooks { await hook.close() }
    }
}
