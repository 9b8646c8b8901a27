internal import Configuration
internal import Products
internal import Providers

/// The graph that serves at the moment, for whoever looks at it.
struct ServedGraph: Sendable {
    /// Its root, and what that is built on.
    let outline: ComponentOutline
    /// The config that it was made from.
    let config: ConfigIdentity
    /// What happens in it.
    let observation: GraphObservation

    /// A graph that is not observed is shown as one in which nothing happens.
    init(
        _ outline: ComponentOutline, _ observation: GraphObservation? = nil, config: ConfigIdentity,
        wallClock: WallClock
    ) {
        self.outline = outline
        self.config = config
        self.observation = observation ?? GraphObservation(root: outline.id, wallClock: wallClock)
    }
}
