internal import Configuration
internal import Decoding
internal import JSON
internal import Products
internal import Text
internal import Wiring

/// Decodes a document by a drafted mapping, and completes the mapping from the result.
struct MappingTrial {
    /// The members that are served and not mapped.
    private(set) var attributes: [String] = []
    private(set) var warnings: [String] = []
    /// The number of products.
    let count: Int
    /// The reasons of items that are left out.
    let skipped: [String]
    let before: String
    let after: String

    /// - Parameters:
    ///   - draft: gets a list of attributes where members look internal, and skips bad items where others are good.
    ///   - body: the document.
    init(_ draft: inout MappingDraft, _ body: [UInt8]) throws(DraftProblem) {
        // Skipping also finds what a gate would refuse, such as negative prices.
        let skips = draft.skipsBadItems
        draft.skipsBadItems = true
        var decoded = try Self.decoded(body, by: draft)
        draft.skipsBadItems = skips || !decoded.skipped.isEmpty
        let missing = decoded.unmatched.filter { !$0.hasSuffix("is an empty array)") }
        if draft.form != nil, !missing.isEmpty {
            let isMissing = { (field: FieldDraft) in missing.contains { $0.hasPrefix("\(field.ours): ") } }
            draft.absent = draft.fields.filter(isMissing)
            draft.fields.removeAll(where: isMissing)
            decoded = try Self.decoded(body, by: draft)
        }
        if decoded.isAllLeftOut { throw .failure("no item meets the conditions of \(draft.form ?? "the mapping")") }
        let mapped = Set((draft.fields.map(\.ours) + draft.constants.map(\.ours)).map { $0.prefix { $0 != "." } })
        let own = draft.variants.isEmpty ? [] : [SoldVariants.name, SoldVariants.range]
        let names = Self.attributes(of: decoded.products).filter { !mapped.contains($0[...]) && !own.contains($0) }
        if draft.attributes == nil, !decoded.internalMembers.isEmpty {
            draft.remarks.append(
                "left out, since they look internal: \(WordList.enumeration(quoting: decoded.internalMembers))"
                    + "; \"attributes\" lists the members that stay public, \"omit\" those that go from within them")
            draft.omitted = decoded.internalMembers.filter { ItemPath($0)?.leadsByNames == true && $0.contains(".") }
            var hidden = Set(decoded.internalMembers).subtracting(draft.omitted)
            Self.hide(hidden, of: names, in: &draft)
            decoded = try Self.decoded(body, by: draft)
            // Some members have no path that `omit` takes. The whole member around them is hidden instead.
            if !decoded.internalMembers.isEmpty {
                hidden.formUnion(decoded.internalMembers)
                draft.omitted.removeAll { path in
                    hidden.contains { $0.prefix { $0 != "." } == path.prefix { $0 != "." } }
                }
                Self.hide(hidden, of: names, in: &draft)
                decoded = try Self.decoded(body, by: draft)
            }
        }
        draft.attributes = draft.attributes ?? "keep"
        attributes = draft.attributes == "keep" ? names : []
        (count, skipped) = (decoded.products.count, decoded.skipped.map(\.reason))
        if let first = decoded.skipped.first {
            try Self.askForForm(first.reason)
            draft.remarks.append(
                "bad items are left out (on_bad_item: skip), here \(decoded.skipped.count) of \(count + decoded.skipped.count); the "
                    + "first: \(first.reason)")
        }
        warnings += decoded.unmatched.filter { !$0.hasSuffix("is an empty array)") }.map {
            "matches nothing: \($0)".printable
        }
        warnings += decoded.unconverted.map {
            "kept in \"unconverted\", since it has another form: \($0)".printable
        }
        if let free = decoded.freeProducts {
            warnings.append("\(free); is that the price that customers pay?".printable)
        }
        (before, after) = try Self.example(of: draft, body)
    }

    /// Reads a document by a draft without the variants that are guessed, unless all products can be read with them. Negative prices of
    /// variants make products bad.
    static func choosing(_ draft: inout MappingDraft, _ body: [UInt8]) throws(DraftProblem) -> MappingTrial {
        guard let list = draft.guessedVariants else { return try MappingTrial(&draft, body) }
        var plain = draft
        (plain.variants, plain.guessedVariants) = ([], nil)
        let without = try MappingTrial(&plain, body)
        var reason = ""
        do throws(DraftProblem) {
            draft.remarks.append("the elements of \"\(list)\" are taken for the variants in which a product is sold")
            let trial = try MappingTrial(&draft, body)
            let bad = [trial, without].map { $0.skipped.filter { !$0.contains("is negative") } }
            if bad[0].count == bad[1].count { return trial }
            reason = bad[0].first ?? ""
        } catch { reason = "\(error)" }
        plain.remarks.append(
            "\"\(list)\" looks like variants, and no price in it is examined, since it cannot be read as such: \(reason)"
                .printable)
        draft = plain
        return without
    }

    private static func decoder(of draft: MappingDraft) throws(DraftProblem) -> any CatalogueDecoder {
        let mapping = draft.lines.map { "    \($0)\n" }.joined()
        do {
            let document = try ConfigDocument.parse(
                "serve:\n  type: file\n  path: document.json\n  decode:\n\(mapping)", file: "draft", environment: [:])
            let check = ConfigurationCheck(
                document: document, registry: .everyFamily,
                sections: [.required("serve", .component(ProviderFamily.self), "the source")])
            let plan = check.root.component("serve", ProviderFamily.self)
            _ = try check.finish()
            if let decoder = plan.outline.decoder { return decoder }
        } catch {
            throw .failure("the mapping cannot be used: \(error)")
        }
        throw .failure("the mapping cannot be used")
    }

    private static func decoded(_ body: [UInt8], by draft: MappingDraft) throws(DraftProblem) -> DecodedProducts {
        let decoder = try decoder(of: draft)
        do {
            return try decoder.decode(body, knowing: nil)
        } catch {
            try askForForm("\(error)")
            throw .failure("the items cannot be read: \(error); state members by --set NAME=PATH".printable)
        }
    }

    /// Asks how amounts are written where one may be read in two ways.
    private static func askForForm(_ reason: String) throws(DraftProblem) {
        guard reason.contains("add form:") else { return }
        throw .question(
            DraftQuestion(
                "price.form", "an amount may be read in two ways: \(reason)".printable,
                [("1.234,56", "a comma before minor digits"), ("1,234.56", "a point before minor digits")]))
    }

    /// Lists the members that stay public, where others of the first level are hidden.
    private static func hide(_ hidden: Set<String>, of names: [String], in draft: inout MappingDraft) {
        let roots = Set(hidden.map { String($0.prefix { $0 != "." }) })
        guard !roots.isEmpty else { return }
        draft.fields.removeAll { roots.contains($0.ours) }
        let kept = names.filter { !roots.contains($0) && !$0.contains(".") }
        draft.attributes = "[\(kept.map(YAMLText.scalar).joined(separator: ", "))]"
    }

    private static let depthLimit = 4

    private static func attributes(of products: EncodedProducts) -> [String] {
        var names: [String] = []
        var known: Set<String> = []
        for product in products.prefix(ItemMembers.itemLimit) {
            for name in product.attributes.keys where known.insert(name).inserted { names.append(name) }
        }
        return names
    }

    /// Returns the first item that becomes a product, and the product.
    private static func example(of draft: MappingDraft, _ body: [UInt8]) throws(DraftProblem) -> (String, String) {
        let decoder = try decoder(of: draft)
        let json = (decoder as? MappedCatalogueFormat).flatMap { try? $0.json(of: body) } ?? body
        let document = try? JSONParser().parse(json)
        let items = document?.firstArray(at: decoder.itemsPaths) ?? []
        for (item, joined) in zip(items, document.flatMap(decoder.items) ?? []) {
            guard let product = try? decoder.decode(items: [joined]).products.first else { continue }
            let bytes = (try? JSONByteEncoder.encode(product)) ?? []
            let after = (try? JSONParser().parse(bytes)) ?? .null
            return (shown(item), shown(after))
        }
        return ("", "")
    }

    /// A value on one line, with long texts and lists cut.
    private static func shown(_ value: JSONValue) -> String {
        String(decoding: cut(value).encoded(), as: UTF8.self).printable
    }

    private static func cut(_ value: JSONValue, depth: Int = 0) -> JSONValue {
        switch value {
        case .string(let text): .string("\(TextExcerpt(text, limit: 80))")
        case .array where depth == depthLimit, .object where depth == depthLimit: "…"
        case .array(let elements):
            .array(elements.prefix(2).map { cut($0, depth: depth + 1) } + (elements.count > 2 ? ["…"] : []))
        case .object(let object):
            .object(JSONObject(object.members.map { ($0.key, cut($0.value, depth: depth + 1)) }))
        default: value
        }
    }
}
