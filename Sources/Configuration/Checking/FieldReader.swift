internal import Text

/// Reads one mapping of the config against its fields.
///
/// Getters never stop the check: a problem is reported with its position, and the getter returns the field's default or
/// a harmless placeholder. Use values only if the whole check finds no error. The reader itself reports unknown keys
/// and missing fields.
///
/// Reading an undeclared field, or one with the getter of another type, is a programming error and traps. A reader is
/// used synchronously during the check, on one thread.
public final class FieldReader {
    /// The label of the component, or its type if it has none; empty at the top level.
    public let name: String
    /// The name of the component in metrics; see `ComponentOutline.metricLabel`.
    public var metricLabel: String { context.metricLabel }
    /// The path of this mapping from the top: `providers.storefront.upstream`; empty at the top level.
    public let path: String
    /// The position of the mapping, or of the mapping that lacks it.
    public let position: SourcePosition
    let context: ReadingContext
    /// The mapping's name in messages: `memory`, `http.limits`.
    let what: String
    /// The path of this mapping from its component, for the roles of components within.
    let rolePrefix: String
    private let fields: [FieldSpec]
    private let entries: [ConfigNode.Entry]
    let isPlaceholder: Bool
    private var brokenFields: Set<String> = []
    private var askedFields: Set<String> = []
    /// The readers of mappings within this one.
    var readers: [FieldReader] = []

    /// Creates a reader; without `entries`, for a mapping whose absence has been reported.
    init(
        entries: [ConfigNode.Entry]?, position: SourcePosition, fields: [FieldSpec], what: String, path: String,
        context: ReadingContext, rolePrefix: String = ""
    ) {
        self.name = context.name
        self.path = path
        self.position = position
        self.context = context
        self.what = what
        self.rolePrefix = rolePrefix
        self.fields = fields
        self.entries = entries ?? []
        self.isPlaceholder = entries == nil
        reportUnknownKeys()
        reportMissingFields()
    }

    /// Whether every field read so far was valid. Rules about several fields check this first, since placeholders are
    /// not what the user wrote.
    public var isSound: Bool { brokenFields.isEmpty && !isPlaceholder }

    /// Whether the config has this field, with a value.
    public func has(_ field: String) -> Bool {
        _ = declaration(of: field)
        return given(field).map { !$0.isNull } ?? false
    }

    /// The value of this field as written, or its default; nil if it has neither.
    public func node(_ field: String) -> ConfigNode? {
        let spec = spec(field)
        if let node = given(field) { return node }
        guard case .defaulted(let text) = spec.requirement else { return nil }
        return DefaultText.node(text, of: "\(what).\(field)", at: position)
    }

    /// The position of this field's value, or of the mapping if it has none.
    public func position(of field: String) -> SourcePosition {
        given(field)?.position ?? position
    }

    /// Reports a problem that only the component can detect, such as numbers that contradict each other.
    ///
    /// It has the position of `field`, or of the mapping for nil. A field that could not be read is not reported
    /// again, because the component has only its placeholder.
    public func report(
        _ severity: Diagnostic.Severity, at field: String?, _ message: String, suggestion: String? = nil
    ) {
        if let field, brokenFields.contains(field) { return }
        let position = field.map { self.position(of: $0) } ?? self.position
        report(severity, at: position, message, suggestion: suggestion)
    }

    /// Reports a problem of a node that the component parses itself.
    public func report(
        _ severity: Diagnostic.Severity, at position: SourcePosition, _ message: String, suggestion: String? = nil
    ) {
        guard !isPlaceholder else { return }
        context.log.add(Diagnostic(severity, at: position, message, suggestion: suggestion))
    }
}

extension FieldReader {
    /// The declaration of `field`, which counts as read from then on.
    func spec(_ field: String) -> FieldSpec {
        askedFields.insert(field)
        return declaration(of: field)
    }

    private func declaration(of field: String) -> FieldSpec {
        guard let spec = fields.first(where: { $0.name == field }) else {
            preconditionFailure("\"\(field)\" is not declared as a field of \"\(what)\"")
        }
        return spec
    }

    /// The fields that are in the config and were not read.
    var unreadFields: [FieldSpec] {
        fields.filter { !askedFields.contains($0.name) && given($0.name) != nil }
    }

    func given(_ field: String) -> ConfigNode? {
        entries.first { $0.key == field }?.value
    }

    /// Reports that `node`, all or part of the value of `field`, cannot be read.
    func fail(_ field: String, _ node: ConfigNode, _ message: String, suggestion: String? = nil) {
        precondition(isPlaceholder || given(field) != nil, "the default of \"\(field)\" in \"\(what)\": \(message)")
        brokenFields.insert(field)
        guard !node.isBroken else { return }
        report(.error, at: node.position, message, suggestion: suggestion)
    }

    /// `in "memory"`, or `at the top level`.
    var place: String { what.isEmpty ? "at the top level" : "in \"\(what)\"" }

    private func reportUnknownKeys() {
        let known = fields.map(\.name)
        for entry in entries where !known.contains(entry.key) {
            context.resolver.countReferences(in: entry.value)
            let isUnspaced = entry.value.isNull && YAMLProblem.lacksSpace(entry.writtenKey)
            report(
                .error, at: entry.keyPosition,
                "unknown key \"\(entry.writtenKey)\" \(place)" + (isUnspaced ? "; \(YAMLProblem.spaceAdvice)" : ""),
                suggestion: isUnspaced ? nil : ClosestName.to(entry.key, among: known))
        }
    }

    private func reportMissingFields() {
        for field in fields where field.requirement == .required && given(field.name) == nil {
            brokenFields.insert(field.name)
            report(.error, at: position, "missing \"\(field.name)\" \(place)")
        }
    }
}

/// Fields that are in the config but were not read.
extension FieldReader {
    /// Checks such fields, here and in the mappings within, by their declared types: a component may ignore a field
    /// because of another, and an invalid value is still an error.
    func checkUnread(except ignored: Set<String> = []) {
        for field in unreadFields where !ignored.contains(field.name) { read(field.name, field.type) }
        readers.forEach { $0.checkUnread() }
    }

    private func read(_ field: String, _ type: FieldType) {
        switch type {
        case .string: _ = optional(field, .string)
        case .integer: _ = optional(field, .integer)
        case .boolean: _ = optional(field, .boolean)
        case .duration: _ = optional(field, .duration)
        case .size: _ = optional(field, .size)
        case .ratio: _ = optional(field, .ratio)
        case .address: _ = optional(field, .address)
        case .url: _ = optional(field, .url)
        case .urlOf(let schemes, let example, let other): _ = optional(field, .url(schemes, like: example, or: other))
        case .secret: _ = optional(field, .secret)
        case .path: _ = optional(field, .path)
        case .any: break
        case .choice(let choices): readChoice(field, choices)
        case .list: elements(of: field).forEach(context.resolver.countReferences)
        case .map: members(of: field).forEach { context.resolver.countReferences(in: $0.value) }
        case .object: _ = optionalObject(field)
        case .unlessOff: _ = objectUnlessOff(field)
        case .component(let family): readComponents(family, given(field).map { [(subpath(field), $0)] } ?? [])
        case .components(let family):
            readComponents(family, elements(of: field).enumerated().map { (subpath(field, index: $0), $1) })
        case .componentMap(let family):
            readComponents(family, members(of: field).map { (subpath(field, key: $0.writtenKey), $0.value) })
        }
    }

    private func readChoice(_ field: String, _ choices: [String]) {
        guard let node = given(field), !choices.contains(where: { $0 == node.text }) else { return }
        let _: Never? = failChoice(field, node, choices)
    }

    private func readComponents(_ noun: String, _ nodes: [(path: String, node: ConfigNode)]) {
        for (path, node) in nodes {
            context.resolver.registry.family(noun: noun)?.checkNode(context.resolver, node, path)
        }
    }
}

/// State that all readers of one component share.
final class ReadingContext {
    let resolver: ComponentResolver
    let name: String
    let metricLabel: String
    var children: [ComponentOutline.Child] = []
    var facts: [any Sendable] = []

    init(resolver: ComponentResolver, name: String, metricLabel: String = "") {
        self.resolver = resolver
        self.name = name
        self.metricLabel = metricLabel
    }

    var log: DiagnosticLog { resolver.log }
}
