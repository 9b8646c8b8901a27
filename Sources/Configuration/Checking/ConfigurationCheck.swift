/// Validates a config: at start, on reload and for `larder check`.
///
/// Read from `root`, keep the plans and values, then call `finish()`; use them only if it did not throw.
///
/// ```swift
/// let check = ConfigurationCheck(document: document, registry: registry, sections: sections)
/// let serve = check.root.component("serve", ProviderFamily.self)
/// let warnings = try check.finish()
/// ```
public final class ConfigurationCheck {
    /// The top level of the file.
    public let root: FieldReader
    private let resolver: ComponentResolver
    /// The files that fields name and whose content was read, in the order of reading.
    public var files: [String] { resolver.files }

    /// Begins a check. `sections` are the top-level keys besides the families' own sections, among them references to
    /// components such as `serve`.
    public init(document: ConfigDocument, registry: ComponentRegistry, sections: [FieldSpec]) {
        let log = DiagnosticLog(document.problems)
        let top = document.root
        resolver = ComponentResolver(
            registry: registry, log: log, labels: LabelTable(root: top, registry: registry, log: log))
        let families = registry.families.map { family in
            FieldSpec.optional(family.section, .componentMap(family: family.noun), "The labelled \(family.section).")
        }
        let context = ReadingContext(resolver: resolver, name: "")
        if top.entries == nil, !top.isBroken {
            log.error(at: top.position, "expected a mapping at the top level, found \(top.foundUnspaced)")
        }
        root = FieldReader(
            entries: top.entries, position: top.position, fields: sections + families, what: "", path: "",
            context: context)
    }

    /// Checks unread fields and unused components, and ends the check.
    ///
    /// Throws all problems if one of them is an error, and returns the warnings otherwise; sorted by position.
    public func finish() throws(ConfigurationError) -> [Diagnostic] {
        root.checkUnread(except: Set(resolver.registry.families.map(\.section)))
        for definition in resolver.labels.definitions {
            definition.family.checkLabel(resolver, definition.key.label)
        }
        resolver.reportUnused()
        guard !resolver.log.hasErrors else { throw ConfigurationError(resolver.log.sorted) }
        return resolver.log.sorted
    }
}

extension ConfigurationCheck {
    /// Reads one component before the check of a config in which other components replace it.
    ///
    /// Fields that `read` does not use are not checked.
    ///
    /// - Returns: the result of `read`, and the problems.
    package static func reading<Value>(
        _ node: ConfigNode, fields: [FieldSpec], as type: String, _ read: (FieldReader) -> Value
    ) -> (Value, [Diagnostic]) {
        let (log, registry) = (DiagnosticLog(), ComponentRegistry())
        let labels = LabelTable(root: node, registry: registry, log: log)
        let context = ReadingContext(
            resolver: ComponentResolver(registry: registry, log: log, labels: labels), name: type)
        let reader = FieldReader(
            entries: (node.entries ?? []).filter { $0.key != "type" }, position: node.position, fields: fields,
            what: type, path: type, context: context)
        let value = read(reader)
        return (value, log.sorted)
    }
}

/// All labelled components of a config, in the order of the file.
struct LabelTable {
    struct Definition {
        let key: LabelKey
        let family: RegisteredFamily
        let position: SourcePosition
        let node: ConfigNode
    }

    private(set) var definitions: [Definition] = []
    private var byKey: [LabelKey: Int] = [:]

    init(root: ConfigNode, registry: ComponentRegistry, log: DiagnosticLog) {
        for entry in root.entries ?? [] {
            guard let family = registry.family(section: entry.key), !entry.value.isNull else { continue }
            guard let labels = entry.value.entries else {
                let expected = FieldType.componentMap(family: family.noun)
                log.error(
                    at: entry.value.position, "\"\(entry.key)\": expected \(expected), found \(entry.value.found)")
                continue
            }
            for label in labels { add(label, family, log) }
        }
    }

    subscript(key: LabelKey) -> Definition? {
        byKey[key].map { definitions[$0] }
    }

    func labels(section: String) -> [String] {
        definitions.filter { $0.key.section == section }.map(\.key.label)
    }

    func definitions(label: String) -> [Definition] {
        definitions.filter { $0.key.label == label }
    }

    private mutating func add(_ entry: ConfigNode.Entry, _ family: RegisteredFamily, _ log: DiagnosticLog) {
        if let problem = Self.problem(with: entry) { log.error(at: entry.keyPosition, problem) }
        let key = LabelKey(section: family.section, label: entry.key)
        byKey[key] = definitions.count
        definitions.append(Definition(key: key, family: family, position: entry.keyPosition, node: entry.value))
    }

    /// The fault of a label: a label is one step in paths, so it must not look like several.
    private static func problem(with entry: ConfigNode.Entry) -> String? {
        if entry.key.isEmpty { return "a label must not be empty" }
        if entry.key.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }) { return nil }
        return "\"\(entry.writtenKey)\" is no label; write letters, digits, \"_\" and \"-\" only"
    }
}

/// A label within its section.
struct LabelKey: Sendable, Hashable {
    let section: String
    let label: String
}
