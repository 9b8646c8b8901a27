/// One line of the explanation of an answer: which provider, and what it did.
public struct TrailStep: Sendable, Hashable, CustomStringConvertible {
    /// The provider's name: its label in the config file or, without one, its type.
    public let node: String
    /// What it did.
    public let outcome: TrailOutcome

    /// A step of the provider with this name.
    public init(node: String, outcome: TrailOutcome) {
        self.node = node
        self.outcome = outcome
    }

    /// The step as logs and `larder fetch` print it, such as `http: refused`.
    public var description: String { "\(node): \(outcome)" }
}
