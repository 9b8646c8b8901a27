internal import Text

/// Turns nodes of the tree into component plans, following references between labels.
///
/// A labelled component is checked once, at its first reference or at the end; a reference to one whose check is
/// running is a cycle.
final class ComponentResolver {
    let registry: ComponentRegistry
    let log: DiagnosticLog
    let labels: LabelTable
    /// The files whose content was read.
    var files: [String] = []
    private var plans: [LabelKey: any Sendable] = [:]
    private var open: [LabelKey] = []
    private var used: Set<LabelKey> = []
    /// The names in metrics that are in use, each prefixed by its section.
    private var taken: Set<String> = []

    init(registry: ComponentRegistry, log: DiagnosticLog, labels: LabelTable) {
        self.registry = registry
        self.log = log
        self.labels = labels
    }

    /// The plan of the component at `node`, defined there or by reference. `path` is its path from the top.
    func plan<F: ComponentFamily>(_ family: F.Type, _ node: ConfigNode, path: String) -> ComponentPlan<F> {
        switch node.content {
        case _ where node.isBroken:
            countReferences(in: node)
            return .placeholder(at: node.position)
        case .scalar(let text, _):
            return reference(text, node, family)
        case .mapping:
            return define(family, node, key: nil, path: path)
        case .null, .sequence:
            log.error(at: node.position, "\"\(path)\": expected \(F.noun), found \(node.found)")
            countReferences(in: node)
            return .placeholder(at: node.position)
        }
    }

    /// Checks a labelled component, whether it is referred to or not.
    func check<F: ComponentFamily>(_ label: String, of family: F.Type) {
        let key = LabelKey(section: F.section, label: label)
        if let definition = labels[key] { _ = plan(family, definition) }
    }

    /// Counts every text below `node` as a reference, so that labels used in an unreadable part are not reported as
    /// unused.
    func countReferences(in node: ConfigNode) {
        switch node.content {
        case .null: break
        case .scalar(let text, _): used.formUnion(labels.definitions(label: text).map(\.key))
        case .sequence(let elements): elements.forEach(countReferences)
        case .mapping(let entries): entries.forEach { countReferences(in: $0.value) }
        }
    }

    /// Warns of labels without a reference.
    func reportUnused() {
        for definition in labels.definitions where !used.contains(definition.key) {
            let message = "\(definition.family.noun) \"\(definition.key.label)\" is never used"
            log.add(Diagnostic(.warning, at: definition.position, message))
        }
    }

    private func reference<F: ComponentFamily>(
        _ label: String, _ node: ConfigNode, _ family: F.Type
    ) -> ComponentPlan<F> {
        let key = LabelKey(section: F.section, label: label)
        guard let definition = labels[key] else {
            reportDangling(label, node, family)
            return .placeholder(at: node.position)
        }
        used.insert(key)
        if let start = open.firstIndex(of: key) {
            let way = (open[start...] + [key]).map(\.label).joined(separator: " → ")
            log.error(at: node.position, "cycle: \(way)")
            return .placeholder(at: node.position)
        }
        return plan(family, definition)
    }

    private func plan<F: ComponentFamily>(
        _ family: F.Type, _ definition: LabelTable.Definition
    ) -> ComponentPlan<F> {
        let key = definition.key
        if let plan = plans[key] as? ComponentPlan<F> { return plan }
        open.append(key)
        defer { open.removeLast() }
        let path = "\(key.section).\(key.label)"
        let plan: ComponentPlan<F> =
            definition.node.entries == nil
            ? plan(family, definition.node, path: path) : define(family, definition.node, key: key, path: path)
        plans[key] = plan
        return plan
    }

    private func define<F: ComponentFamily>(
        _ family: F.Type, _ node: ConfigNode, key: LabelKey?, path: String
    ) -> ComponentPlan<F> {
        guard let spec = spec(family, node) else {
            countReferences(in: node)
            return .placeholder(at: node.position)
        }
        let label = metricLabel(family, path: path, type: spec.type, isLabelled: key != nil)
        let context = ReadingContext(resolver: self, name: key?.label ?? spec.type, metricLabel: label)
        let entries = (node.entries ?? []).filter { $0.key != "type" }
        let reader = FieldReader(
            entries: entries, position: node.position, fields: spec.fields, what: spec.type, path: path,
            context: context)
        let make = spec.plan(reader)
        reader.checkUnread()
        let outline = ComponentOutline(
            id: path, family: F.noun, type: spec.type, label: key?.label, position: node.position,
            settings: ComponentSettings(entries: entries, fields: spec.fields, position: node.position),
            statedFacts: spec.facts + context.facts, children: context.children, metricLabel: label)
        return ComponentPlan(outline: outline, make: make)
    }

    /// The name in metrics: the path of the component without its `upstream` steps, and its type, such as
    /// `remote.http`. The full path if another component has that name.
    private func metricLabel<F: ComponentFamily>(
        _ family: F.Type, path: String, type: String, isLabelled: Bool
    ) -> String {
        let whole = F.metricLabel(path)
        // A dot in a config key is escaped.
        let steps = whole.split(separator: ".").reduce(into: [String]()) { steps, step in
            if steps.last?.last == "\\" { steps[steps.count - 1] += ".\(step)" } else { steps.append(String(step)) }
        }
        guard !isLabelled, let first = steps.first, steps.dropFirst().contains("upstream") else { return whole }
        let short = ([first] + steps.dropFirst().filter { $0 != "upstream" } + [type]).joined(separator: ".")
        return taken.insert("\(F.section) \(short)").inserted ? short : whole
    }

    private func spec<F: ComponentFamily>(_ family: F.Type, _ node: ConfigNode) -> ComponentSpec<F>? {
        guard let registered = registry.family(noun: F.noun) else {
            preconditionFailure("the family of \(F.section) is not registered")
        }
        let types = registered.components.map(\.type)
        guard let type = node["type"] else {
            let list = WordList.enumeration(types)
            log.error(at: node.position, "missing \"type\"; the types of \(F.noun) are \(list)")
            return nil
        }
        guard !type.isBroken else { return nil }
        guard let name = type.text else {
            log.error(at: type.position, "\"type\": expected string, found \(type.found)")
            return nil
        }
        if let spec = registry.spec(family, type: name) { return spec }
        reportUnknownType(name, type, registered)
        return nil
    }
}

extension ComponentResolver {
    /// Reports a reference that matches no label, or a component of another family.
    func reportDangling<F: ComponentFamily>(_ label: String, _ node: ConfigNode, _ family: F.Type) {
        if let other = labels.definitions(label: label).first {
            countReferences(in: node)
            let found = WordList.article(other.family.noun)
            let message = "\(node.quoted) is \(found), expected \(WordList.article(F.noun))"
            return log.error(at: node.position, message)
        }
        let meant = ClosestName.to(label, among: labels.labels(section: F.section))
        if let meant { countReferences(in: ConfigNode(.scalar(text: meant, isPlain: true), at: node.position)) }
        let family = registry.family(noun: F.noun)
        let suggestion = family?.component(type: label) == nil ? meant : "{ type: \(label) }"
        guard suggestion != nil || node.template != nil || family?.isOfSecrets != true else {
            return log.error(
                at: node.position, "no \(F.noun) has this text as its label; it is not shown, since it may be a secret")
        }
        let labelled = node.foundUnspaced
        log.error(at: node.position, "no \(F.noun) is labelled \(labelled)", suggestion: suggestion)
    }

    /// Reports a type that the family does not have.
    func reportUnknownType(_ name: String, _ node: ConfigNode, _ family: RegisteredFamily) {
        if let other = registry.families(withType: name).first {
            let found = WordList.article(other.noun)
            let message = "type \(node.quoted) is \(found), expected \(WordList.article(family.noun))"
            return log.error(at: node.position, message)
        }
        let types = family.components.map(\.type)
        let meant = ClosestName.to(name, among: types)
        let list = meant == nil ? "; the types of \(family.noun) are \(WordList.enumeration(types))" : ""
        log.error(at: node.position, "unknown \(family.noun) type \(node.quoted)\(list)", suggestion: meant)
    }
}
