@testable import Configuration
import Testing
import Wiring

/// A mapping that has every field that may be in it, for finding those that nobody reads.
enum EveryField {
    /// A reader of such a mapping. What the values are is of no account: a field that cannot be read is asked for still.
    static func reader(_ fields: [FieldSpec], what: String = "") throws -> FieldReader {
        let document = try ConfigDocument.parse(text(of: fields), file: "every.yaml", environment: [:])
        let log = DiagnosticLog()
        let registry = ComponentRegistry.everyFamily
        let labels = LabelTable(root: document.root, registry: registry, log: log)
        let resolver = ComponentResolver(registry: registry, log: log, labels: labels)
        return FieldReader(
            entries: document.root.entries, position: document.root.position, fields: fields, what: what, path: what,
            context: ReadingContext(resolver: resolver, name: what))
    }

    /// The fields that were not asked for, here and in the mappings within, by their whole way.
    static func unread(_ reader: FieldReader) -> [String] {
        reader.unreadFields.map { reader.subpath($0.name) } + reader.readers.flatMap(unread)
    }

    private static func text(of fields: [FieldSpec]) -> String {
        "{ " + fields.map { "\($0.name): \(sample(of: $0.type))" }.joined(separator: ", ") + " }"
    }

    private static func sample(of type: FieldType) -> String {
        switch type {
        case .string, .secret, .path: "text"
        case .any: "{ path: text }"
        case .integer, .size: "1000"
        case .boolean: "true"
        case .duration: "1m"
        case .ratio: "0.5"
        case .address: "\"localhost:80\""
        case .url: "\"http://localhost\""
        case .urlOf(let schemes, _, _): "\"\(schemes[0])://localhost\""
        case .choice(let texts): texts.last ?? ""
        case .list(let element): "[\(sample(of: element))]"
        case .map(let value): "{ name: \(sample(of: value)) }"
        case .object(let fields), .unlessOff(let fields): text(of: fields)
        case .component(let family): example(of: family)
        case .components(let family): "[\(example(of: family))]"
        case .componentMap(let family): "{ name: \(example(of: family)) }"
        }
    }

    private static func example(of family: String) -> String {
        ComponentRegistry.everyFamily.family(noun: family)?.components.first?.example ?? "none"
    }
}
