/// Among the resources of an assembly whose components are to change nothing outside the process.
public struct DryRun: Sendable {
    /// Creates the mark.
    public init() {}
}

/// What components are handed to work with, such as a client, a clock or a logger: one value of each type.
public struct ComponentResources: Sendable {
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// Creates an empty bag.
    public init() {}

    /// Puts `value` in, in the place of an earlier one of the same type.
    ///
    /// The type is the key, and it must be the one that is asked for: to store something behind a protocol, say so with
    /// `set(clock, as: (any Clock<Duration>).self)`.
    public mutating func set<T: Sendable>(_ value: T, as type: T.Type = T.self) {
        values[ObjectIdentifier(type)] = value
    }

    /// The value of this type, or nil when there is none.
    public func get<T: Sendable>(_ type: T.Type) -> T? {
        values[ObjectIdentifier(type)] as? T
    }
}
