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
        if entry.key.isEmpty { log.error(at: entry.keyPosition, "a label must not be empty") }
        let key = LabelKey(section: family.section, label: entry.key)
        byKey[key] = definitions.count
        definitions.append(Definition(key: key, family: family, position: entry.keyPosition, node: entry.value))
    }
}
