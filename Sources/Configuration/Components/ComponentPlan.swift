/// A checked component that can be made.
public struct ComponentPlan<F: ComponentFamily>: Sendable {
    /// The component and those below it.
    public let outline: ComponentOutline
    let make: @Sendable (Assembly) throws -> F.Instance

    /// The label, or the type if there is none.
    public var name: String { outline.name }

    /// Makes the component.
    ///
    /// An assembly makes it once and shares it among all references, or takes it over from the previous assembly if
    /// nothing about it has changed. Rethrows the component's error if it cannot be made; the assembly must not be used
    /// after that.
    public func instantiate(in assembly: Assembly) throws -> F.Instance {
        try assembly.instance(of: F.self, outline, make)
    }

    /// Makes a placeholder for a component with a problem, so that the check can continue. The check never returns it.
    static func placeholder(at position: SourcePosition) -> ComponentPlan {
        let settings = ComponentSettings(entries: [], fields: [], position: position)
        let outline = ComponentOutline(
            id: "\(position)", family: F.noun, type: ComponentOutline.unreadable, label: nil, position: position,
            settings: settings, statedFacts: [], children: [], metricLabel: "")
        return ComponentPlan(outline: outline) { _ in
            preconditionFailure(
                "\(position): a \(F.noun) was made in spite of problems; check ConfigurationCheck.finish() first")
        }
    }
}

/// A resource that marks an assembly whose components must not change anything outside the process.
public struct DryRun: Sendable {
    /// Creates the mark.
    public init() {}
}

/// Resources of components, such as a client, a clock or a logger: one value per type.
public struct ComponentResources: Sendable {
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// Creates a collection without values.
    public init() {}

    /// Stores `value`, replacing an earlier one of the same type.
    ///
    /// The static type is the key of `get`. A value behind a protocol is stored with
    /// `set(clock, as: (any Clock<Duration>).self)`.
    public mutating func set<T: Sendable>(_ value: T, as type: T.Type = T.self) {
        values[ObjectIdentifier(type)] = value
    }

    /// The value of this type, or nil when there is none.
    public func get<T: Sendable>(_ type: T.Type) -> T? {
        values[ObjectIdentifier(type)] as? T
    }
}
