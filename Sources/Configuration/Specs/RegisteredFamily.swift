/// A family with all types of component that belong to it.
public struct RegisteredFamily: Sendable {
    /// One of them in messages: `provider`.
    public let noun: String
    /// The top-level key under which they are labelled: `providers`.
    public let section: String
    /// The types, in the order of registration.
    public internal(set) var components: [RegisteredComponent] = []

    /// Checks the component with this label of the family's section, for callers that do not know the family.
    let checkLabel: @Sendable (ComponentResolver, String) -> Void

    /// Checks the component at a node, for the same callers.
    let checkNode: @Sendable (ComponentResolver, ConfigNode, String) -> Void

    init<F: ComponentFamily>(_ family: F.Type) {
        self.noun = F.noun
        self.section = F.section
        self.checkLabel = { resolver, label in resolver.check(label, of: F.self) }
        self.checkNode = { resolver, node, path in _ = resolver.plan(F.self, node, path: path) }
    }

    /// Whether each of its types holds a secret, so that a text in the place of one may be the secret itself.
    var isOfSecrets: Bool {
        !components.isEmpty
            && components.allSatisfy { component in
                component.fields.contains { field in
                    if case .secret = field.type { true } else { false }
                }
            }
    }

    /// The type with this name.
    public func component(type: String) -> RegisteredComponent? {
        components.first { $0.type == type }
    }
}
