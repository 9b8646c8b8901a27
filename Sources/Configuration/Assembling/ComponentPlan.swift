/// A component that has been checked and can be made.
public struct ComponentPlan<F: ComponentFamily>: Sendable {
    /// The component and what it is built on.
    public let outline: ComponentOutline
    private let make: @Sendable (Assembly) throws -> F.Instance

    init(outline: ComponentOutline, make: @escaping @Sendable (Assembly) throws -> F.Instance) {
        self.outline = outline
        self.make = make
    }

    /// The label, or the type where there is none.
    public var name: String { outline.name }

    /// Makes the component.
    ///
    /// It is made once in an assembly and shared by all that refer to it, or taken over from the assembly before, where
    /// the family allows it and nothing about the component has changed. Throws what the component throws when it cannot
    /// be made; the assembly is then of no further use.
    public func instantiate(in assembly: Assembly) throws -> F.Instance {
        try assembly.instance(of: F.self, outline, make)
    }

    /// Stands for a component that has a problem, so that the check can go on. The check never hands it out.
    static func placeholder(at position: SourcePosition) -> ComponentPlan {
        let settings = ComponentSettings(entries: [], fields: [], position: position)
        let outline = ComponentOutline(
            id: "\(position)", family: F.noun, type: ComponentOutline.unreadable, label: nil, position: position,
            settings: settings,
            ownVariations: [], children: [])
        return ComponentPlan(outline: outline) { _ in
            preconditionFailure(
                "\(position): a \(F.noun) with problems was made; ConfigurationCheck.finish() was ignored")
        }
    }
}

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
