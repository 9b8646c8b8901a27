/// A component spec without its static family: what documentation, schema and lookups need.
public struct RegisteredComponent: Sendable {
    /// The text after `type:`.
    public let type: String
    /// What it does, in one line.
    public let summary: String
    /// Its fields, without `type`.
    public let fields: [FieldSpec]
    /// One instance in YAML.
    public let example: String
    /// The `ComponentSpec` itself, for the code that knows its family.
    let spec: any Sendable

    init<F: ComponentFamily>(_ spec: ComponentSpec<F>) {
        self.type = spec.type
        self.summary = spec.summary
        self.fields = spec.fields
        self.example = spec.example
        self.spec = spec
    }
}
