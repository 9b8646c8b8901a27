/// The one validator of a config: at start, on reload and for `larder check`.
///
/// Read what is wanted from `root`, keep the plans and values, then call `finish()`. What was read may be used only if
/// `finish()` did not throw.
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

    /// Begins a check. `sections` are the top-level keys besides the families' own sections, which are known anyway;
    /// among them are top-level references to components such as `serve`.
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
            log.error(at: top.position, "expected a mapping at the top level, found \(top.found)")
        }
        root = FieldReader(
            entries: top.entries, position: top.position, fields: sections + families, what: "", path: "",
            context: context)
    }

    /// Checks what was not asked for and the components that nothing refers to, and ends the check.
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
