internal import Decoding
internal import JSON
internal import Products
internal import Text

/// Finds the currency of prices in a document.
struct CurrencySearch {
    /// The source of the currency.
    enum Source {
        case constant(String)
        case field(FieldDraft)
        /// The path of the prices in one currency, with the currency.
        case chosen(path: String, code: String)
    }

    private static let setting = "price.currency"
    /// Names of members that hold the currency of a price. Others, such as a base currency, are ambiguous.
    private static let names: Set = [
        "currency", "currencycode", "currencyid", "currencyiso", "isocurrency", "isocurrencycode", "pricecurrency",
        "pricecurrencycode",
    ]

    /// Names of the code of a currency that is an object.
    private static let codes: Set = ["code", "iso", "isocode", "iso3", "alphacode"]

    let members: ItemMembers
    let envelope: [(path: String, value: JSONValue)]
    let settings: DraftSettings

    /// Chooses one currency for all items.
    /// - Parameter texts: the currencies between which a path chooses, as the document has them; nil without such a path.
    /// - Returns: the code, and its text in the document.
    func code(amongTexts texts: [String]?) throws(DraftProblem) -> (code: String, text: String) {
        let known = (texts ?? []).compactMap { text in Self.code(.string(text)).map { ($0, text) } }
        if let stated = settings[Self.setting] {
            guard let code = settings.currencyCode else {
                throw .failure("price.currency=\(stated.printable) is no code of ISO 4217, like EUR")
            }
            guard let texts else { return (code, code) }
            guard let found = known.first(where: { $0.0 == code }) else {
                throw .failure("there is no price in \(code); there are \(WordList.enumeration(texts))")
            }
            return found
        }
        if let only = known.first, Set(known.map(\.0)).count == 1 { return only }
        if known.isEmpty, let code = envelopeCode { return (code, code) }
        throw .question(question(known.map(\.0), takesPaths: false))
    }

    /// Finds the currency of the prices at a place.
    func source(for price: MemberPlace) throws(DraftProblem) -> Source {
        if let code = settings.currencyCode, Self.splitting(price, candidates).isEmpty { return .constant(code) }
        if let path = settings[Self.setting], settings.currencyCode == nil {
            guard let place = members.place(at: path) else {
                throw .failure("there is nothing at \"\(path)\" in any item")
            }
            return .field(Self.field(place))
        }
        // prices[currency=EUR].amount names its currency.
        if let code = price.path.split(whereSeparator: { "=]".contains($0) }).dropFirst()
            .compactMap({ Self.code(.string(String($0))) }).first
        {
            return .constant(code)
        }
        let near = Self.nearest(candidates, to: price)
        if let split = Self.splitting(price, near).first { return try chosen(price, by: split) }
        let codes = Set(near.flatMap { $0.values.compactMap(Self.code) })
        if let place = near.first, near.count == 1 || codes.count == 1 {
            guard !isSeveral(place) else { throw .question(question(codes.sorted())) }
            return .field(Self.field(place))
        }
        if !near.isEmpty {
            throw .question(
                DraftQuestion(
                    Self.setting, "several members may be the currency of \"\(price.path)\"",
                    near.map { ($0.path, $0.examples) }))
        }
        if let code = envelopeCode { return .constant(code) }
        throw .question(question([]))
    }

    /// The places whose values are currencies.
    private var candidates: [MemberPlace] {
        members.places.filter { place in
            let outer = place.components.dropLast().last { $0 != "*" }.map(MemberPlace.plain) ?? ""
            let isNamed =
                Self.names.contains(place.plainName)
                || Self.codes.contains(place.plainName) && Self.names.contains(outer)
            return isNamed && place.isText && place.values.allSatisfy { Self.code($0) != nil }
        }
    }

    /// Whether an item has several currencies at a place.
    private func isSeveral(_ place: MemberPlace) -> Bool {
        guard place.isRepeated, let path = ItemPath(place.path) else { return false }
        return members.items.contains { Set(path.values(in: $0).compactMap(Self.code)).count > 1 }
    }

    /// The one currency that the document states around its items.
    private var envelopeCode: String? {
        let stated = envelope.filter { Self.names.contains(MemberPlace(path: $0.path).plainName) }
        let codes = Set(stated.compactMap { Self.code($0.value) })
        return codes.count == 1 ? codes.first : nil
    }

    private static func code(_ value: JSONValue) -> String? {
        let coerced = try? MemberType.currency.coerced(value)
        return coerced?.string
    }

    /// - Parameter takesPaths: whether the operator may also answer with the path to the currency.
    private func question(_ codes: [String], takesPaths: Bool = true) -> DraftQuestion {
        let unique = codes.enumerated().filter { codes.firstIndex(of: $1) == $0 }.map(\.element)
        let text =
            unique.isEmpty
            ? "the document does not say the currency of its prices" : "there are prices in several currencies"
        let choices = unique.map { ($0, "prices in \($0)") }
        return DraftQuestion(
            Self.setting, text,
            choices.isEmpty && takesPaths ? places.map { ($0.path, "like \($0.examples)") } : choices,
            example: "EUR", alternative: takesPaths ? "name its path: --set \(Self.setting)=PATH" : "")
    }

    /// The places of any name whose values are codes of currencies, in all items.
    private var places: [MemberPlace] {
        members.places.filter { place in
            place.itemCount == members.items.count && place.isText
                && place.values.allSatisfy { Currency(code: $0.string ?? "") != nil }
        }
    }

    private static func field(_ place: MemberPlace) -> FieldDraft {
        FieldDraft(
            ours: setting, paths: [place.path], options: place.path.contains("*") ? [("pick", "first")] : [])
    }

    /// The places that share most of their way with the price.
    private static func nearest(_ places: [MemberPlace], to price: MemberPlace) -> [MemberPlace] {
        let shared = places.map { zip($0.components, price.components).prefix { $0 == $1 }.count }
        guard let most = shared.max() else { return [] }
        return zip(places, shared).filter { $1 == most }.map(\.0)
    }

    /// The places whose currency distinguishes the elements of the price's own array: they are in the same array, and
    /// an item has several currencies there.
    private static func splitting(_ price: MemberPlace, _ places: [MemberPlace]) -> [MemberPlace] {
        guard let last = price.components.lastIndex(of: "*") else { return [] }
        let array = price.components[...last]
        return places.filter { place in
            place.isRepeated && place.components.starts(with: array) && !place.components[(last + 1)...].contains("*")
                && Set(place.values.compactMap(code)).count > 1
        }
    }

    /// Chooses the elements of one currency, `prices[currency=EUR].amount`.
    private func chosen(_ price: MemberPlace, by place: MemberPlace) throws(DraftProblem) -> Source {
        guard let last = price.components.lastIndex(of: "*") else { return .field(Self.field(place)) }
        let currency = try code(amongTexts: place.texts ?? [])
        let array = price.components[..<last].joined(separator: ".")
        let key = place.components[(last + 1)...].joined(separator: ".")
        let amount = price.components[(last + 1)...].joined(separator: ".")
        func path(_ condition: String) -> String { "\(array)[\(key)=\(currency.text)]\(condition).\(amount)" }
        guard let elements = doubled(in: array, where: key, is: currency.text) else {
            return .chosen(path: path(""), code: currency.code)
        }
        // Prices for groups, countries and the like have a member that the plain price lacks.
        let names = Set(elements.flatMap { $0.object?.keys ?? [] }).sorted()
        let telling = names.filter { name in
            let isBlank = elements.map { $0.object?[name].map(\.isNull) ?? true }
            return isBlank.contains(true) && isBlank.contains(false)
        }
        throw .question(
            DraftQuestion(
                "price.amount", "there are several prices in \(currency.code) in one item",
                telling.map { (path("[!\($0)]"), "those without \"\($0)\"") }, example: "'\(path("[!group]"))'"))
    }

    /// The elements of an item's array that have this text; nil if no array has several.
    private func doubled(in array: String, where key: String, is text: String) -> [JSONValue]? {
        guard let way = ItemPath(array), let inner = JSONPath(key) else { return nil }
        for item in members.items {
            for value in way.values(in: item) {
                let same = (value.array ?? []).filter { $0[inner]?.scalarText == text }
                if same.count > 1 { return same }
            }
        }
        return nil
    }
}
