/// A component that has been checked and can be made.
public struct ComponentPlan<F: ComponentFamily>: Sendable {
    /// The component and what it is built on.
    public let outline: ComponentOutline
    private let key: LabelKey?
    private let make: @Sendable (Assembly) throws -> F.Instance

    init(
        outline: ComponentOutline, key: LabelKey?, make: @escaping @Sendable (Assembly) throws -> F.Instance
    ) {
        self.outline = outline
        self.key = key
        self.make = make
    }

    /// The label, or the type where there is none.
    public var name: String { outline.name }

    /// Makes the component.
    ///
    /// One with a label is made once in an assembly and shared by all that refer to it; one without is made anew by
    /// every call. Throws what the component throws when it cannot be made; the assembly is then of no further use.
    public func instantiate(in assembly: Assembly) throws -> F.Instance {
        guard let key else { return try make(assembly) }
        return try assembly.instance(key) { try make(assembly) }
    }

    /// Stands for a component that has a problem, so that the check can go on. The check never hands it out.
    static func placeholder(at position: SourcePosition) -> ComponentPlan {
        let outline = ComponentOutline(
            family: F.noun, type: "unknown", label: nil, position: position, children: [])
        return ComponentPlan(outline: outline, key: nil) { _ in
            preconditionFailure(
                "\(position): a \(F.noun) with problems was made; ConfigurationCheck.finish() was ignored")
        }
    }
}
