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

    /// A label is one step of the ways to what stands in its component, so it must not look like several.
    private static func problem(with entry: ConfigNode.Entry) -> String? {
        if entry.key.isEmpty { return "a label must not be empty" }
        if entry.key.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }) { return nil }
        return "\"\(entry.writtenKey)\" is no label; write letters, digits, \"_\" and \"-\" only"
    }
}
