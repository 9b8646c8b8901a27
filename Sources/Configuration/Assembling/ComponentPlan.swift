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
