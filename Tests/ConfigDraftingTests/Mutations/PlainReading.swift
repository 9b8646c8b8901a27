internal import JSON

/// The price of an item.
struct PlainPrice: Hashable, CustomStringConvertible {
    let amount: PlainDecimal
    let currency: String

    var description: String { "\(amount) \(currency)" }
}

/// The places of id, name and price in the items of a catalogue, read without a mapping: it is written from the documents, and
/// shares no code with decoders.
struct PlainReading: Sendable {
    /// Amounts at a place of an item, or of each of its variants.
    struct Amounts: Sendable {
        /// The variants; nil for the item itself.
        var variants: [String]?
        var paths: [String]
        var picksLeast = false
        var scale = Scale.none
        var currency: [String] = []
        /// Whether an amount and its currency are one text.
        var isMoney = false
        /// Finds the amounts where no path leads to them alone.
        var choice: (@Sendable (JSONValue) -> [JSONValue])?
    }

    enum Scale: Sendable {
        case none
        case currency
        case path(String)
    }

    /// The path to the items; empty for a document that is the array.
    var items: String
    /// The path from an element of these to the item.
    var item = ""
    var id = "id"
    var names = ["name"]
    var amounts: Amounts
    /// The amounts of an item that has none at these.
    var otherwise: Amounts?
    /// The currency of prices that name none.
    var currency: String?
    /// The texts at a path, of which a taken item has one.
    var conditions: [(path: String, texts: [String])] = []
    /// Whether items name objects that stand beside them.
    var isJoined = false

    func isTaken(_ item: JSONValue) -> Bool {
        conditions.allSatisfy { path, texts in
            Self.values(path, in: item).contains { value in
                switch value {
                case .string(let text): texts.contains(text)
                case .bool(let flag): texts.contains("\(flag)")
                case .number: texts.contains { PlainDecimal($0) != nil && PlainDecimal($0) == PlainDecimal(value) }
                case .null, .array, .object: false
                }
            }
        }
    }

    func id(of item: JSONValue) -> String? { text(Self.values(id, in: item).first) }

    func name(of item: JSONValue) -> String? { names.lazy.compactMap { text(Self.values($0, in: item).first) }.first }

    private func text(_ value: JSONValue?) -> String? { value?.string ?? value?.number?.literal }

    /// The price of an item; nil for an item that has none, or none that can be told.
    func price(of item: JSONValue) -> PlainPrice? {
        // A price in Larder's own form counts where the item has no other.
        let own = Self.values("price.amount", in: item).first { $0 != "" }
        if let variants = amounts.variants, own == nil {
            var prices: [PlainPrice] = []
            let outer = Self.currency(Self.values("price.currency", in: item).first) ?? currency
            for variant in variants.flatMap({ Self.values($0, in: item) }).flatMap({ $0.array ?? [$0] }) {
                let found = price(in: variant, currency: currency ?? outer)
                if found.isThere, found.price == nil { return nil }
                if let price = found.price { prices.append(price) }
            }
            let currencies = Set(prices.map(\.currency)).union(currency.map { [$0] } ?? [])
            return currencies.count == 1 ? prices.min { $0.amount < $1.amount } : nil
        }
        if amounts.variants != nil, let own {
            let code = currency ?? Self.currency(Self.values("price.currency", in: item).first)
            return PlainDecimal(own).flatMap { amount in code.map { PlainPrice(amount: amount, currency: $0) } }
        }
        let found = price(in: item, currency: currency)
        guard !found.isThere, let otherwise else { return found.price }
        var reading = self
        (reading.amounts, reading.otherwise) = (otherwise, nil)
        return reading.price(of: item)
    }

    /// - Returns: whether an amount is there, and the price unless it cannot be read.
    private func price(in place: JSONValue, currency stated: String?) -> (isThere: Bool, price: PlainPrice?) {
        let lists = amounts.choice.map { [$0(place)] } ?? amounts.paths.map { Self.values($0, in: place) }
        let found = lists.map { $0.filter { $0 != "" } }.first { !$0.isEmpty } ?? []
        guard !found.isEmpty else { return (false, nil) }
        if amounts.isMoney {
            // A text without a currency has that of the next one.
            let currency = lists.joined().lazy.compactMap { $0.string.flatMap(PlainMoney.currency(in:)) }.first
            let amount = found[0].string.flatMap { text in
                PlainMoney.read(text)?.amount ?? PlainDecimal(text.filter { !$0.isWhitespace })
            }
            return (true, amount.flatMap { amount in currency.map { PlainPrice(amount: amount, currency: $0) } })
        }
        let own = amounts.currency.flatMap { Self.values($0, in: place) }.first { $0 != "" }
        let fallback = amounts.variants == nil ? nil : Self.values("price.currency", in: place).first { $0 != "" }
        let code = own != nil ? Self.currency(own) : fallback != nil ? Self.currency(fallback) : stated
        guard let code else { return (true, nil) }
        let places: Int?
        switch amounts.scale {
        case .none: places = 0
        case .currency: places = Self.minorDigits[code]
        case .path(let path):
            places = Self.values(path, in: place).first.flatMap { PlainDecimal($0) }.flatMap { digits in
                (0...18).first { PlainDecimal("\($0)") == digits }
            }
        }
        guard let places else { return (true, nil) }
        let numbers = (amounts.picksLeast ? found : [found[0]]).map { PlainDecimal($0, shiftedBy: places) }
        let known = numbers.compactMap(\.self)
        guard known.count == numbers.count, let least = known.min() else { return (true, nil) }
        return (true, PlainPrice(amount: least, currency: code))
    }

    private static let minorDigits = ["USD": 2, "EUR": 2, "AED": 2, "INR": 2, "GBP": 2, "JPY": 0, "KWD": 3]

    static func currency(_ value: JSONValue?) -> String? {
        guard let text = value?.string else { return nil }
        let code = ["€": "EUR", "US$": "USD"][text] ?? text.uppercased()
        // XXX stands for none, and has no minor digits.
        return minorDigits[code] == nil && code != "XXX" ? nil : code
    }

    /// The values at a path without null: `prices.*.amount`, `images.0.src`.
    static func values(_ path: String, in value: JSONValue) -> [JSONValue] {
        var found = [value]
        for name in path.split(separator: ".") {
            found = found.flatMap { value -> [JSONValue] in
                switch value {
                case .array(let elements) where name == "*": return elements
                case .array(let elements):
                    return Int(name).flatMap { elements.indices.contains($0) ? [elements[$0]] : nil } ?? []
                case .object(let object):
                    return object.members.filter { $0.key.utf8.elementsEqual(name.utf8) }.map(\.value)
                case .null, .bool, .number, .string: return []
                }
            }
        }
        return found.filter { !$0.isNull }
    }
}

/// Texts with an amount and a currency that can be read in one way; others have to be refused.
enum PlainMoney {
    /// Texts that are put where an amount is, with their meanings.
    private static let readable: [String: (amount: String, currency: String)] = [
        "105.29 USD": ("105.29", "USD"), "105.2900 usd": ("105.29", "USD"), "USD 7": ("7", "USD"),
        "1.234,56 €": ("1234.56", "EUR"), "1,234.56 USD": ("1234.56", "USD"), "1 234,50 EUR": ("1234.50", "EUR"),
        "-3.10 USD": ("-3.10", "USD"),
    ]

    private static let refused: Set = [
        "1,234 USD", "1.234 EUR", "12 USD 3", "12.50", "12.50 XYZ", "USD", "1.2.3 USD", "12-13 USD", "１２ USD",
        "12 USD/kg 2",
        "(12 USD)", "1,23,456.00 INR",
    ]

    static func currency(in text: String) -> String? {
        PlainReading.currency(.string(text.filter { $0.isLetter || $0 == "€" }))
    }

    static let samples = refused.union(readable.keys).sorted()

    static func read(_ text: String) -> PlainPrice? {
        if let (amount, currency) = readable[text] {
            return PlainDecimal(amount).map { PlainPrice(amount: $0, currency: currency) }
        }
        if refused.contains(text) { return nil }
        let parts = text.split(separator: " ")
        guard parts.count == 2, let amount = PlainDecimal(String(parts[0])),
            let currency = PlainReading.currency(.string(String(parts[1])))
        else { return nil }
        return PlainPrice(amount: amount, currency: currency)
    }
}
