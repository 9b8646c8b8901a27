/// One field of a component or of a section: its name, what it may hold, and what it means.
public struct FieldSpec: Sendable {
    /// Whether a field must be there, and what holds when it is not.
    public enum Requirement: Sendable, Hashable {
        /// Absence is an error.
        case required
        /// Absence means something of its own.
        case optional
        /// Absence means this, written as it would be in the file.
        case defaulted(String)
    }

    /// The key.
    public let name: String
    /// What the value may be.
    public let type: FieldType
    /// What absence means.
    public let requirement: Requirement
    /// What the field does, in one sentence, for `larder components`.
    public let meaning: String

    /// Creates a field.
    public init(name: String, type: FieldType, requirement: Requirement, meaning: String) {
        self.name = name
        self.type = type
        self.requirement = requirement
        self.meaning = meaning
    }

    /// A field that must be there.
    public static func required(_ name: String, _ type: FieldType, _ meaning: String) -> FieldSpec {
        FieldSpec(name: name, type: type, requirement: .required, meaning: meaning)
    }

    /// A field whose absence means something of its own.
    public static func optional(_ name: String, _ type: FieldType, _ meaning: String) -> FieldSpec {
        FieldSpec(name: name, type: type, requirement: .optional, meaning: meaning)
    }

    /// A field whose absence means `defaultText`, which is YAML.
    public static func defaulted(
        _ name: String, _ type: FieldType, _ defaultText: String, _ meaning: String
    ) -> FieldSpec {
        FieldSpec(name: name, type: type, requirement: .defaulted(defaultText), meaning: meaning)
    }

    /// The two fields `name` and `name_file` of a secret, of which exactly one is given; see
    /// `FieldReader.secretOrFile(_:)`.
    public static func secretOrFile(_ name: String, _ meaning: String) -> [FieldSpec] {
        [
            .optional(name, .secret, meaning),
            .optional(name + "_file", .path, "A file that holds it instead."),
        ]
    }
}
