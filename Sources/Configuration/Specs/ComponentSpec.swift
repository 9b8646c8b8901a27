/// One type of component: the source of its schema, documentation and code.
public struct ComponentSpec<Family: ComponentFamily>: Sendable {
    /// Reads a component during the check and returns the code that makes it.
    ///
    /// The reader's getters never fail; after a problem they return placeholders, and the returned code is never run.
    /// So a plan only reads and hands on: files, sockets and anything that validates with a trap belong into the
    /// returned closure. What that closure throws stops the start.
    public typealias Plan = @Sendable (FieldReader) -> @Sendable (Assembly) throws -> Family.Instance

    /// The text after `type:`.
    public let type: String
    /// The purpose, in one line.
    public let summary: String
    /// The fields, without `type`.
    public let fields: [FieldSpec]
    /// One instance in YAML.
    public let example: String
    /// Facts about every component of this type for those who judge a graph without running it; see
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

/// Components that can stand for each other, such as providers or stores.
public protocol ComponentFamily: SendableMetatype {
    /// The type of the family's components at run time.
    associatedtype Instance

    /// One of them in messages and field types: `provider`.
    static var noun: String { get }

    /// The top-level key under which they are labelled: `providers`.
    static var section: String { get }

    /// Returns an instance to use in place of a component that is about to be made, and then is not; nil for none.
    static func standIn(in assembly: Assembly) -> Instance?

    /// Returns the instance to use in place of a component that has just been made: itself, or a wrapper.
    static func adopt(_ instance: Instance, as outline: ComponentOutline, in assembly: Assembly) -> Instance
}

extension ComponentFamily {
    /// None.
    public static func standIn(in assembly: Assembly) -> Instance? { nil }

    /// The component as it is.
    public static func adopt(_ instance: Instance, as outline: ComponentOutline, in assembly: Assembly) -> Instance {
        instance
    }

    /// The way to the component with this id from its section; for one within another section the whole id.
    static func metricLabel(_ id: String) -> String {
        let prefix = "\(section)."
        return id.hasPrefix(prefix) && id.count > prefix.count ? String(id.dropFirst(prefix.count)) : id
    }
}
