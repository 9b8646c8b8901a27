internal import Decoding
internal import JSON
internal import Products
internal import Text

/// Finds the price in items. An ambiguous price is a question, never a guess.
struct PriceSearch {
    private static let words: Set = ["price", "prices", "pricing", "amount", "preis", "prix", "precio", "prezzo"]
    /// The members of a price that hold its amount.
    private static let inner: Set = ["value", "gross", "net", "cents", "amount", "minor", "units", "raw", "current"]
    private static let foreign: Set = [
        "cost", "wholesale", "purchase", "buy", "buying", "dealer", "supplier", "margin", "compare", "msrp", "rrp",
        "shipping", "discount",
        "deposit",
        "old", "was", "previous", "quantity", "count", "percent", "percentage", "saving", "savings", "fee", "id", "ids",
        "tier",
        "currency", "digits", "exponent", "precision", "code", "tax", "taxes", "vat", "rate",
    ]

    let members: ItemMembers
    let currencies: CurrencySearch

    private var settings: DraftSettings { currencies.settings }

    /// The places that may be the price, also those that few items have, such as of a sale.
    static func candidates(_ members: ItemMembers) -> [MemberPlace] {
        let named = members.places.filter(isNamedPrice)
        let numbers = named.filter(\.hasNumber)
        // A price that is 0 in every item is none where another is not.
        let priced = numbers.filter { !$0.values.allSatisfy(\.isZero) }
        if !numbers.isEmpty { return priced.isEmpty ? numbers : priced }
        return named.filter { $0.isText && $0.values.allSatisfy(isMoney) }
    }

    /// Puts price and currency into a draft.
    func add(to draft: inout MappingDraft) throws(DraftProblem) {
        let place = try place()
        if place.values.allSatisfy({ $0 == "" }) {
            throw .failure("the price at \"\(place.path)\" is empty in every item")
        }
        if !place.hasNumber, place.values.contains(where: { $0.string?.isEmpty == false }) {
            return try addMoney(place, to: &draft)
        }
        let source = try currencies.source(for: place)
        var field = FieldDraft(ours: "price.amount", paths: [place.path])
        switch source {
        case .constant(let code): draft.replace("price.currency", by: code)
        case .field(let currency): draft.replace(currency)
        case .chosen(let path, let code):
            field.paths = [path]
            draft.replace("price.currency", by: code)
        }
        if let (scale, reason) = try ScaleSearch(members: members, settings: settings).scale(of: place, in: source) {
            field.options.append(("scale", scale))
            field.remark = reason
        }
        if let (list, inner) = variants(in: field, source) {
            draft.variants = inner
            if ZeroPrices(at: field.paths[0], in: members).areLeast { draft.minimumPrice = ZeroPrices.minimum }
            draft.remarks.append("the elements of \"\(list)\" are taken for the variants in which a product is sold")
            draft.fields.removeAll { $0.ours == "price.currency" && $0.paths[0].hasPrefix("\(list).*.") }
            return
        }
        if field.paths[0].contains("*") {
            field.options.append(("pick", "min"))
            field.remark = (field.remark.map { "\($0); of several prices the least" }) ?? "Of several prices the least."
            let zeros = ZeroPrices(at: field.paths[0], in: members)
            if let (path, condition) = zeros.otherPath {
                draft.remarks.append(
                    "\"\(field.paths[0])\" has prices of 0, which \(condition) leaves out; see that those cannot be bought"
                )
                field.paths = [path]
            } else if zeros.areLeast {
                draft.minimumPrice = ZeroPrices.minimum
                draft.remarks.append(
                    "\"\(field.paths[0])\" has prices of 0, which \"minimum_price\" makes bad: name a path without them"
                )
            }
        }
        // The amount comes before the currency.
        draft.replace(field)
        VariantSearch(members: members).add(to: &draft, beside: field)
        let order = ["price.amount": 0, "price.currency": 1]
        draft.fields =
            draft.fields.filter { order[$0.ours] == nil }
            + draft.fields.filter { order[$0.ours] != nil }.sorted { (order[$0.ours] ?? 0) < (order[$1.ours] ?? 0) }
    }

    /// Returns the list whose elements have the prices and are variants, with the members of `variants` for it; nil for any other list. The
    /// least price of such a list counts.
    private func variants(
        in field: FieldDraft, _ source: CurrencySearch.Source
    ) -> (list: String, written: [(name: String, written: String)])? {
        let parts = field.paths[0].split(separator: ".*.", omittingEmptySubsequences: false).map(String.init)
        guard settings["price.amount"] == nil, parts.count == 2, !parts[1].contains("["), !parts[0].contains("[") else {
            return nil
        }
        var fields = [FieldDraft(ours: "price.amount", paths: [parts[1]], options: field.options)]
        switch source {
        case .field(let currency) where currency.paths[0].hasPrefix("\(parts[0]).*."):
            fields.append(
                FieldDraft(ours: "price.currency", paths: [String(currency.paths[0].dropFirst(parts[0].count + 3))]))
        case .chosen: return nil
        case .field, .constant: break
        }
        return VariantSearch(members: members).variants(at: parts[0], fields).map { (parts[0], $0) }
    }

    private func place() throws(DraftProblem) -> MemberPlace {
        if let path = settings["price.amount"] {
            guard let place = members.place(at: path) else {
                throw .failure("there is nothing at \"\(path.printable)\", the stated place of the price, in any item")
            }
            return place
        }
        let candidates = Self.candidates(members)
        if let only = candidates.first, candidates.count == 1 { return only }
        let text =
            candidates.isEmpty
            ? "no member looks like a price" : "several members may be the price that customers pay"
        throw .question(
            DraftQuestion(
                "price.amount", text,
                candidates.map { place in
                    let zeros = ZeroPrices(at: place.path, in: members)
                    return (place.path, place.examples + (zeros.areLeast ? "; the least is 0 in \(zeros.text)" : ""))
                }, example: "PATH"))
    }

    static func isNamedPrice(_ place: MemberPlace) -> Bool {
        let names = place.components.filter { $0 != "*" }
        guard let last = names.last, names.allSatisfy({ $0.nameWords.isDisjoint(with: foreign) || isTotal($0) }) else {
            return false
        }
        if !last.nameWords.isDisjoint(with: words) { return true }
        return !last.nameWords.isDisjoint(with: inner)
            && names.dropLast().contains { !$0.nameWords.isDisjoint(with: words) }
    }

    /// Whether a name such as `price_with_tax` or `discount_price` is of a whole price.
    private static func isTotal(_ name: String) -> Bool {
        let words = name.nameWords
        return words.contains("price") && words.isDisjoint(with: foreign.subtracting(["tax", "vat", "discount"]))
    }

    /// Maps amounts that have their currency in one text.
    private func addMoney(_ place: MemberPlace, to draft: inout MappingDraft) throws(DraftProblem) {
        let form = settings["price.form"] ?? "money"
        let isRepeated = place.path.contains("*")
        let pick = isRepeated ? [("pick", "first")] : []
        draft.replace(
            FieldDraft(
                ours: "price.amount", paths: [place.path],
                options: [("form", YAMLText.scalar(form))] + (isRepeated ? [("pick", "min")] : [])))
        let named = place.values.allSatisfy { value in
            let currency = value.string.flatMap { try? MoneyForm("money")?.currency(in: $0) }
            return currency.flatMap { try? MemberType.currency.coerced($0) } != nil
        }
        if named, settings["price.currency"] == nil {
            draft.replace(FieldDraft(ours: "price.currency", paths: [place.path], options: [("form", "money")] + pick))
            return
        }
        switch try currencies.source(for: place) {
        case .constant(let code), .chosen(_, let code): draft.replace("price.currency", by: code)
        case .field(let currency): draft.replace(currency)
        }
    }

    /// Whether a text has an amount, and maybe a currency.
    private static func isMoney(_ value: JSONValue) -> Bool {
        guard let text = value.string, text.count < 40, text.contains(where: \.isNumber) else { return false }
        return text.filter(\.isLetter).count <= 4
    }
}
