internal import Text

/// One type of component: the source of its schema, documentation and code.
public struct ComponentSpec<Family: ComponentFamily>: Sendable {
    /// Reads a component during the check and returns the code that makes it.
    ///
    /// The reader's getters never fail; after a problem they return placeholders, and the returned code is never run.
    /// So a plan only reads: files, sockets and anything that validates with a trap belong in the returned closure. An
    /// error of that closure stops the start.
    public typealias Plan = @Sendable (FieldReader) -> @Sendable (Assembly) throws -> Family.Instance

    /// The text after `type:`.
    public let type: String
    /// The purpose, in one line.
    public let summary: String
    /// The fields, without `type`.
    public let fields: [FieldSpec]
    /// One instance in YAML.
    public let example: String
    /// Facts about every component of this type, for code that examines a graph without running it; see
    /// `ComponentOutline.facts(_:)`.
    let facts: [any Sendable]
    let plan: Plan

    /// Creates a spec.
    public init(
        type: String, summary: String, fields: [FieldSpec], example: String, facts: [any Sendable] = [],
        plan: @escaping Plan
    ) {
        precondition(!fields.contains { $0.name == "type" }, "\(type): \"type\" selects the component, it is no field")
        precondition(Set(fields.map(\.name)).count == fields.count, "\(type): two fields have the same name")
        self.type = type
        self.summary = summary
        self.fields = fields
        self.example = example
        self.facts = facts
        self.plan = plan
    }
}

/// The families and types of component that a config may use.
public struct ComponentRegistry: Sendable {
    /// The families, in the order of registration.
    public private(set) var families: [RegisteredFamily] = []

    /// Creates an empty registry.
    public init() {}

    /// Adds `specs` to `family`. A type, noun or section that exists already is a programming error.
    public mutating func register<F: ComponentFamily>(_ family: F.Type, _ specs: [ComponentSpec<F>]) {
        let index = indexOfFamily(family)
        for spec in specs {
            precondition(
                families[index].component(type: spec.type) == nil, "\(F.noun) \"\(spec.type)\" is registered twice")
            families[index].components.append(RegisteredComponent(spec))
        }
    }

    /// The family with this noun.
    public func family(noun: String) -> RegisteredFamily? {
        families.first { $0.noun == noun }
    }

    /// The family that is labelled under this top-level key.
    public func family(section: String) -> RegisteredFamily? {
        families.first { $0.section == section }
    }

    /// Every family that has a component of this type; types are unique within a family only.
    public func families(withType type: String) -> [RegisteredFamily] {
        families.filter { $0.component(type: type) != nil }
    }

    /// The known type closest to a misspelt one, of any family.
    public func type(closestTo name: String) -> String? {
        ClosestName.to(name, among: families.flatMap(\.components).map(\.type))
    }

    func spec<F: ComponentFamily>(_ family: F.Type, type: String) -> ComponentSpec<F>? {
        self.family(noun: F.noun)?.component(type: type)?.spec as? ComponentSpec<F>
    }

    private mutating func indexOfFamily<F: ComponentFamily>(_ family: F.Type) -> Int {
        if let index = families.firstIndex(where: { $0.noun == F.noun && $0.section == F.section }) { return index }
        precondition(
            self.family(noun: F.noun) == nil && self.family(section: F.section) == nil,
            "the noun \(F.noun) or the section \(F.section) belongs to another family")
        families.append(RegisteredFamily(family))
        return families.count - 1
    }
}

/// A family with all its types of component.
public struct RegisteredFamily: Sendable {
    /// The name of a member in messages: `provider`.
    public let noun: String
    /// The top-level key of labelled members: `providers`.
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

    /// Whether all its types contain a secret, so that a text in place of one may be the secret itself.
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

/// A component spec without its static family, for documentation, schema and lookups.
public struct RegisteredComponent: Sendable {
    /// The text after `type:`.
    public let type: String
    /// The purpose, in one line.
    public let summary: String
    /// The fields, without `type`.
    public let fields: [FieldSpec]
    /// One instance in YAML.
    public let example: String
    /// The `ComponentSpec` itself, for code that knows its family.
    let spec: any Sendable

    init<F: ComponentFamily>(_ spec: ComponentSpec<F>) {
        self.type = spec.type
        self.summary = spec.summary
        self.fields = spec.fields
        self.example = spec.example
        self.spec = spec
    }
}
