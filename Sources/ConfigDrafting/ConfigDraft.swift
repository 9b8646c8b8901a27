internal import Configuration
internal import Decoding
internal import JSON
package import Networking
internal import Products
internal import Text

/// A config for an upstream, drafted from one document of it.
package struct ConfigDraft: Sendable {
    /// The config file.
    package let text: String
    /// The name of the shop's form; nil if it is not known.
    package let form: String?
    /// The decisions and omissions that a person should look at.
    package let warnings: [String]
    /// The number of items in the document, and of products that come of them.
    package let counts: (items: Int, products: Int)
    /// The first item that becomes a product, as the upstream sends it.
    package let before: String
    /// The product that it becomes.
    package let after: String

    /// Drafts a config.
    /// - Parameters:
    ///   - body: the document.
    ///   - headers: the headers that it came with.
    ///   - isPartial: whether it came with status 206.
    package init(
        _ body: [UInt8], headers: HTTPHeaders = HTTPHeaders([]), isPartial: Bool = false, from source: DraftSource,
        _ settings: DraftSettings
    ) throws(DraftProblem) {
        try self.init(
            body, headers: headers, isPartial: isPartial, from: source, settings, forms: KnownForm.all)
    }

    /// - Parameter forms: the forms that are known.
    init(
        _ body: [UInt8], headers: HTTPHeaders = HTTPHeaders([]), isPartial: Bool = false, from source: DraftSource,
        _ settings: DraftSettings, forms: [KnownForm]
    ) throws(DraftProblem) {
        let read = try DraftDocument(body, items: settings["items"])
        let document = read.value
        var settings = settings
        if read.format != .json { settings["items"] = nil }
        let places = DocumentItems(document)
        let (list, known) = try Self.list(places, settings, forms)
        let members = ItemMembers(of: known?.joined(list.items, in: document) ?? list.items)
        let currencies = CurrencySearch(members: members, envelope: places.envelope, settings: settings)
        var draft = try known?.draft(of: members, currencies, origin: source.origin) ?? MappingDraft()
        (draft.format, draft.items, draft.item) = (read.lines, read.elements ?? list.path, list.item)
        if let path = known?.lackingList(in: document) {
            draft.remarks.append(
                "the document has no \"\(path)\", so images, categories and variants are ids at most; JSON:API gives it for the "
                    + "parameter include")
        }
        let prices = PriceSearch(members: members, currencies: currencies)
        if known == nil {
            try MemberSearch(members: members, settings: settings, origin: source.origin).add(to: &draft)
            try prices.add(to: &draft)
        } else {
            try Self.apply(settings, prices, to: &draft)
        }
        for (name, path) in settings.statedMembers {
            let takesLists = OwnForm.product.spec(at: name).type.takesLists
            let options = path.contains("*") && !takesLists ? [("pick", "first")] : []
            draft.replace(FieldDraft(ours: name, paths: [path], options: options))
        }
        let trial = try MappingTrial.choosing(&draft, body)
        let paging = PaginationSearch(
            envelope: places.envelope, unreachable: places.unreachable, headers: headers, itemCount: list.items.count)
        let isPaged = source.origin != nil
        let pages = draft.pagination ?? paging.found
        if isPartial {
            let parts = pages == nil ? "which is refused without pagination" : "which pagination reads as parts"
            draft.remarks.append("the upstream answers by status 206 to a part of its list, \(parts)")
        }
        if pages == nil, let sign = paging.signsOfMore.first {
            draft.remarks.append(
                "the document may be one page of several, by \"\(sign)\", and does not say how to ask for the next: add "
                    + "pagination, or only this page is the catalogue")
        }
        draft.remarks += members.signsOfDrafts
        let lines = source.lines(
            pagination: isPaged ? pages?.written : nil, sent: isPaged ? pages?.parameters ?? [] : [])
        text = Self.text(of: source, lines, draft, trial, hidden: Self.hidden(members, draft))
        form = draft.form
        warnings = draft.remarks + trial.warnings
        counts = (list.items.count, trial.count)
        (before, after) = (trial.before, trial.after)
    }

    /// Chooses the list of products, and its form if that is known.
    private static func list(
        _ places: DocumentItems, _ settings: DraftSettings, _ forms: [KnownForm]
    ) throws(DraftProblem) -> (ItemList, KnownForm?) {
        if let path = settings["items"] {
            let list = try places.list(at: path, item: settings["item"])
            return (list, forms.first { $0.fits(list) })
        }
        let lists = places.lists.sorted { $0.items.count > $1.items.count }
        for list in lists {
            if let form = forms.first(where: { $0.fits(list) }) { return (list, form) }
        }
        let scores = lists.map { list in
            let members = ItemMembers(of: Array(list.items.prefix(20)))
            return (PriceSearch.candidates(members).isEmpty ? 0 : 2)
                + (members.named(["name", "title"]) { _ in true } == nil ? 0 : 1)
        }
        if let best = scores.max() {
            let chosen = zip(lists, scores).filter { $1 == best }.map(\.0)
            if chosen.count == 1 || best == 3 { return (chosen[0], nil) }
            throw .question(
                DraftQuestion(
                    "items", "several lists may be that of the products",
                    chosen.map { ($0.path.isEmpty ? "." : $0.path, "\($0.items.count) items") }))
        }
        if let empty = places.emptyPaths.first {
            let place = empty.isEmpty ? "the document is an empty list" : "the list at \"\(empty)\" is empty"
            throw .failure("\(place); a config is drafted from at least one product")
        }
        throw .failure("there is no list of objects in the document, \(places.document.excerpt)")
    }

    /// Applies the operator's settings for a known form.
    private static func apply(
        _ settings: DraftSettings, _ prices: PriceSearch, to draft: inout MappingDraft
    ) throws(DraftProblem) {
        if let type = settings["type"] { draft.type = YAMLText.scalar(type) }
        let names = ["price.amount", "price.scale", "price.form"]
        if names.contains(where: { settings[$0] != nil }) {
            try prices.add(to: &draft)
        } else if let code = settings.currencyCode {
            draft.replace("price.currency", by: code)
        } else if let path = settings["price.currency"] {
            draft.replace(FieldDraft(ours: "price.currency", paths: [path]))
        }
    }

    /// The members of items that are neither mapped nor served, by the list of attributes.
    private static func hidden(_ members: ItemMembers, _ draft: MappingDraft) -> [String] {
        let mapped = Set(draft.fields.flatMap(\.paths).map { $0.prefix { $0 != "." && $0 != "[" } })
        let variants = draft.guessedVariants.map { $0.prefix { $0 != "." } }
        let listed = Set(draft.attributes?.split { "[], \"".contains($0) } ?? [])
        return members.places.map(\.path).filter { name in
            !name.contains(".") && !mapped.contains(name[...]) && name[...] != variants && !listed.contains(name[...])
                && !OwnForm.product.isMember(name)
        }
    }

    private static func text(
        of source: DraftSource, _ provider: [String], _ draft: MappingDraft, _ trial: MappingTrial, hidden: [String]
    ) -> String {
        var lines = YAMLText.comment(
            "Drafted by larder init for \(source.description): \(draft.form ?? "no form that is known"). Try it with larder check "
                + "and larder fetch --dry-run.")
        for remark in draft.remarks { lines += YAMLText.comment("Look at this: \(remark).") }
        let mapping = draft.lines.map { "  \($0)" }
        let names = (trial.attributes.isEmpty ? hidden : trial.attributes).joined(separator: ", ")
        let words = trial.attributes.isEmpty ? "Not mapped, and not served" : "Not mapped, and served as attributes"
        let unmapped = names.isEmpty ? [] : YAMLText.comment("\(words): \(names)").map { "  \($0)" }
        let body = provider + ["decode:"] + mapping + unmapped
        if source.origin != nil {
            lines += ["serve:"] + body.map { "  \($0)" }
        } else {
            lines += [
                "stores: { disk: { type: json_file, directory: \"${LARDER_DATA:-.larder}\", keep: 3 } }", "providers:",
                "  shop:",
            ]
            lines += body.map { "    \($0)" }
            lines += [
                "  # Refuses an empty, shrunken or invalid catalogue, and saves every other one.",
                "  remote: { type: caching, store: disk, upstream: { type: validated, baseline: disk, upstream: shop } }",
                "  storefront: { type: fallback, primary: remote, secondary: { type: stored, store: disk } }",
                "serve: { type: memory, ttl: 1m, upstream: storefront }",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
