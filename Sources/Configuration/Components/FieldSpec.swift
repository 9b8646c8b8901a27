internal import Text

/// One field of a component or of a section: its name, type and meaning.
public struct FieldSpec: Sendable {
    /// Whether a field is required, and what its absence means.
    public enum Requirement: Sendable, Hashable {
        /// Absence is an error.
        case required
        /// Absence has a meaning of its own.
        case optional
        /// Absence means this text, written as in the file.
        case defaulted(String)
    }

    /// The key.
    public let name: String
    /// The type of the value.
    public let type: FieldType
    /// The meaning of absence.
    public let requirement: Requirement
    /// The purpose of the field, in one sentence, for `larder components`.
    public let meaning: String

    /// A required field.
    public static func required(_ name: String, _ type: FieldType, _ meaning: String) -> FieldSpec {
        FieldSpec(name: name, type: type, requirement: .required, meaning: meaning)
    }

    /// A field whose absence has a meaning of its own.
    public static func optional(_ name: String, _ type: FieldType, _ meaning: String) -> FieldSpec {
        FieldSpec(name: name, type: type, requirement: .optional, meaning: meaning)
    }

    /// A field whose absence means `defaultText`, which is YAML.
    public static func defaulted(
        _ name: String, _ type: FieldType, _ defaultText: String, _ meaning: String
    ) -> FieldSpec {
        FieldSpec(name: name, type: type, requirement: .defaulted(defaultText), meaning: meaning)
    }

    /// The fields `name` and `name_file` of a secret. A config gives exactly one of them; see
    /// `FieldReader.secretOrFile(_:)`.
    public static func secretOrFile(_ name: String, _ meaning: String) -> [FieldSpec] {
        [
            .optional(name, .secret, meaning),
            .optional(name + "_file", .path, "A file that holds it instead."),
        ]
    }
}

/// The values that a config field accepts.
public indirect enum FieldType: Sendable {
    /// Any text.
    case string
    /// A whole number.
    case integer
    /// `true` or `false`.
    case boolean
    /// `250ms 5s 2m 3h 7d`, or a sum such as `1m30s`.
    case duration
    /// Bytes: `512 16KiB 64MiB 10MB`.
    case size
    /// A number from 0 to 1.
    case ratio
    /// `host:port`.
    case address
    /// An absolute `http` or `https` URL.
    case url
    /// An absolute URL with one of these schemes, written like the example; or another text, or any that begins with it
    /// if it ends with a colon.
    case urlOf([String], like: String, or: String? = nil)
    /// A text that is never printed.
    case secret
    /// A path, relative to the working directory.
    case path
    /// Anything; the component parses the node itself.
    case any
    /// One of some texts.
    case choice([String])
    /// Values of one type, in order.
    case list(FieldType)
    /// Values of one type under free keys, in order.
    case map(FieldType)
    /// A mapping with declared fields.
    case object([FieldSpec])
    /// `off`, or a mapping with declared fields.
    case unlessOff([FieldSpec])
    /// A component of the family with this noun, or a reference to one.
    case component(family: String)
    /// A list of components or references.
    case components(family: String)
    /// Components or references under free keys.
    case componentMap(family: String)

    /// A component of `family`, or a reference to one.
    public static func component<F: ComponentFamily>(_ family: F.Type) -> FieldType { .component(family: F.noun) }

    /// A list of components of `family` or references.
    public static func components<F: ComponentFamily>(_ family: F.Type) -> FieldType { .components(family: F.noun) }

    /// Components of `family` or references under free keys.
    public static func componentMap<F: ComponentFamily>(_ family: F.Type) -> FieldType {
        .componentMap(family: F.noun)
    }

    /// Whether the values are components, or consist of them.
    var isComponent: Bool {
        switch self {
        case .component, .components, .componentMap: true
        default: false
        }
    }

    /// The texts of all cases of `choices`.
    public static func choice<E: RawRepresentable<String> & CaseIterable>(_ choices: E.Type) -> FieldType {
        .choice(E.allCases.map(\.rawValue))
    }
}

extension FieldType: CustomStringConvertible {
    /// The type in a few words, such as `duration`, `fail or omit`, `list of string`, `provider`.
    public var description: String {
        switch self {
        case .string: "string"
        case .integer: "integer"
        case .boolean: "boolean"
        case .duration: "duration"
        case .size: "size"
        case .ratio: "ratio"
        case .address: "address"
        case .url, .urlOf: "url"
        case .secret: "secret"
        case .path: "path"
        case .any: "anything"
        case .choice(let texts): WordList.alternatives(texts)
        case .list(let element): "list of \(element)"
        case .map(let value): "mapping of \(value)"
        case .object: "mapping"
        case .unlessOff: "off or mapping"
        case .component(let family): family
        case .components(let family): "list of \(family)"
        case .componentMap(let family): "mapping of \(family)"
        }
    }
}

/// Parses the defaults of fields, which are written as YAML in the specs.
enum DefaultText {
    /// The value of a default, at the position of the mapping that lacks the field. A default that is not YAML is a
    /// programming error.
    static func node(_ text: String, of field: String, at position: SourcePosition) -> ConfigNode {
        if text.isEmpty { return ConfigNode(.scalar(text: "", isPlain: true), at: position) }
        do {
            let document = try ConfigDocument.parse(text, file: position.file, environment: [:])
            precondition(document.problems.isEmpty, "the default of \(field): \(document.problems)")
            return document.root.moved(to: position)
        } catch {
            preconditionFailure("the default of \(field): \(error)")
        }
    }
}
