internal import Configuration
internal import Decoding
internal import JSON
internal import Text

/// The form of a known shop's items, with the mapping that reads them.
struct KnownForm {
    /// The forms of the table, the first that fits counts.
    static let all: [KnownForm] = {
        let text = String(decoding: PackageResources.KnownForms_yaml, as: UTF8.self)
        let document = try? ConfigDocument.parse(text, file: "KnownForms.yaml", environment: [:])
        return (document?.root.elements ?? []).compactMap(KnownForm.init)
    }()

    let name: String
    /// The paths that lead to a value in items of this form.
    private let marks: [ItemPath]
    private let mapping: ConfigNode

    private init?(_ node: ConfigNode) {
        guard let name = node["name"]?.text, let marks = node["has"]?.elements else { return nil }
        self.name = name
        self.marks = marks.compactMap { $0.text.flatMap { ItemPath($0) } }
        mapping = node
    }

    func fits(_ list: ItemList) -> Bool {
        let items = list.items.prefix(ItemMembers.itemLimit)
        return marks.allSatisfy { mark in items.contains { mark.first(in: $0) != nil } }
    }

    /// The list beside the items whose objects the mapping's paths use.
    private var includes: IncludedList? {
        guard let includes = mapping["includes"], let path = includes["path"]?.text.flatMap({ JSONPath($0) }) else {
            return nil
        }
        guard let ids = includes["of"]?.text.flatMap({ ItemPath($0) }), let member = includes["as"]?.text,
            let id = JSONPath("id")
        else { return IncludedList(path: path, reference: .relationships) }
        return IncludedList(path: path, reference: .ids(of: ids, id: id, member: member))
    }

    /// The path to the list that a document lacks; nil where it has the list.
    func lackingList(in document: JSONValue) -> JSONPath? {
        includes.flatMap { document[$0.path]?.array == nil ? $0.path : nil }
    }

    /// Returns items of a document, joined with the list beside them.
    func joined(_ items: [JSONValue], in document: JSONValue) -> [JSONValue] {
        let paths = (mapping["fields"]?.entries ?? []).flatMap { Self.paths(of: $0.value) } + variantPaths
        let includes = IncludedLists([includes].compactMap(\.self), for: paths.compactMap { ItemPath($0) })
        guard let index = includes?.index({ document[$0] }) else { return items }
        return items.map(index.joined)
    }

    /// Returns the mapping for a document.
    func draft(of members: ItemMembers, _ search: CurrencySearch, origin: String?) throws(DraftProblem) -> MappingDraft
    {
        let paths = (mapping["fields"]?.entries ?? []).flatMap { Self.paths(of: $0.value) } + variantPaths
        let needsCurrency = mapping["constants"]?.entries?.contains { $0.value.text == "{currency}" } ?? false
        let currency = needsCurrency ? try search.code(amongTexts: Self.currencies(in: paths, members)) : nil
        var draft = MappingDraft(form: name)
        func filled(_ text: String) -> String? {
            var text = text.replacing("{origin}", with: origin ?? "https://shop.example")
            if let currency { text = text.replacing("={currency}", with: "=\(currency.text)") }
            if let currency { text = text.replacing("{currency}", with: currency.code) }
            return Self.withLanguage(text, members, search.settings)
        }
        let written = { (node: ConfigNode) in YAMLText.flow(node) { filled($0) ?? $0 } }
        draft.type = mapping["type"].map(written) ?? draft.type
        draft.includes = mapping["includes"].map(written)
        draft.when = mapping["when"].map(written)
        draft.pagination = mapping["pagination"].map { pagination in
            let sent = (pagination.entries ?? []).filter { $0.key.hasSuffix("parameter") }
            return (written(pagination), sent.compactMap(\.value.text))
        }
        // Identifiers alone are no variants.
        let hasVariants = variantPaths.contains { members.place(at: $0) != nil }
        draft.variants =
            (mapping["variants"].flatMap { hasVariants ? $0 : nil }.map { variants in
                (variants.entries ?? []).map { entry in
                    guard entry.key == "fields" else { return (entry.key, written(entry.value)) }
                    let fields = (entry.value.entries ?? []).filter { field in
                        Self.paths(of: field.value, in: variants).compactMap(filled).contains {
                            members.place(at: $0) != nil
                        }
                    }
                    return ("fields", YAMLText.flow(fields.map { ($0.key, written($0.value)) }))
                }
            }) ?? []
        draft.attributes = mapping["attributes"].map(written)
        draft.skipsBadItems = mapping["on_bad_item"]?.text == "skip"
        draft.constants = (mapping["constants"]?.entries ?? []).map { ($0.key, written($0.value)) }
        draft.fields = (mapping["fields"]?.entries ?? []).compactMap { entry in
            // A place of texts in a language is left out where the document has none.
            let paths = Self.paths(of: entry.value).compactMap(filled)
            let options = (entry.value.entries ?? []).filter { $0.key != "path" }.map { ($0.key, written($0.value)) }
            return paths.isEmpty ? nil : FieldDraft(ours: entry.key, paths: paths, options: options)
        }
        if origin == nil, draft.fields.contains(where: { $0.written.contains("https://shop.example") }) {
            draft.remarks.append("put the address of the shop in place of https://shop.example")
        }
        if let list = mapping["includes"]?["of"].flatMap({ _ in includes?.path }), draft.pagination != nil {
            draft.remarks.append(
                "items find objects of \"\(list)\" on their own page alone; the \"categories\" of an http read them from all "
                    + "pages, as in config/examples/shops/square.yaml")
        }
        if name.contains("practice shop") {
            draft.remarks.append("the currency is that of \(name); state another one with --set price.currency=CODE")
        }
        return draft
    }

    /// The paths within variants, from the item.
    private var variantPaths: [String] {
        guard let variants = mapping["variants"] else { return [] }
        return (variants["fields"]?.entries ?? []).flatMap { Self.paths(of: $0.value, in: variants) }
    }

    private static func paths(of node: ConfigNode, in variants: ConfigNode) -> [String] {
        paths(of: variants).flatMap { list in
            paths(of: node).map { list.contains("*") ? "\(list).\($0)" : "\(list).*.\($0)" }
        }
    }

    private static func paths(of node: ConfigNode) -> [String] {
        let place = node["path"] ?? node
        return (place.elements ?? [place]).compactMap(\.text)
    }

    /// Returns the texts at the places that paths compare with a currency, as the document has them.
    private static func currencies(in paths: [String], _ members: ItemMembers) -> [String]? {
        var texts: [String]?
        for path in paths {
            guard let mark = path.firstRange(of: "={currency}]"),
                let start = path[..<mark.lowerBound].lastIndex(of: "[")
            else { continue }
            let place = "\(path[..<start]).*.\(path[path.index(after: start)..<mark.lowerBound])"
            for text in members.place(at: place)?.texts ?? [] where texts?.contains(text) != true {
                texts = (texts ?? []) + [text]
            }
        }
        return texts
    }

    /// Puts a language of the document into a path: the stated one, else English, else the first; nil without any.
    private static func withLanguage(_ path: String, _ members: ItemMembers, _ settings: DraftSettings) -> String? {
        guard let mark = path.firstRange(of: ".{language}") else { return path }
        let names = (members.place(at: String(path[..<mark.lowerBound]))?.values ?? []).flatMap {
            $0.object?.keys ?? []
        }
        let language = settings["language"] ?? names.first { $0.hasPrefix("en") } ?? names.first
        guard let language, names.contains(language) else { return nil }
        return path.replacing("{language}", with: language)
    }
}
