/// One line about the state of a provider.
public struct LiveStateEntry: Sendable, Hashable {
    /// What is told, in lower case with underscores: `state`, `in_flight`.
    public let name: String
    /// How it is: `open`, `3`.
    public let value: String

    /// An entry.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
