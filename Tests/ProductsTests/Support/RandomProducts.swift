import FoundationEssentials
import JSON
import Products
import ProductsTestSupport
import TestSupport

/// Products as a source might write them: of every kind, unknown ones too, nested, with members that no kind names, and
/// in no particular order.
struct RandomProducts {
    private var values: RandomValues

    init(seed: Int) {
        values = RandomValues(random: SeededGenerator(seed: seed))
    }

    mutating func items(_ count: Int) -> [JSONValue] {
        (0..<count).map { item(id: .string("p\($0)"), bundles: BundleProduct.depthLimit) }
    }

    /// The same item with its members, and those of the products in it, in another order; but for the attributes, whose
    /// order among themselves is to be kept.
    mutating func reordered(_ item: JSONValue, of product: any Product) -> JSONValue {
        guard case .object(var object) = item else { return item }
        if let contents = product.contents {
            let elements = object["products"]?.array ?? []
            object["products"] = .array(zip(elements, contents.products).map { reordered($0, of: $1) })
            if let addOn = contents.addOn { object["addOn"] = object["addOn"].map { reordered($0, of: addOn) } }
        }
        var attributes = product.attributes.members[...]
        let members = object.members.shuffled(using: &values.random).map { member in
            product.attributes[member.key] == nil ? member : attributes.removeFirst()
        }
        return .object(JSONObject(members.map { ($0.key, $0.value) }))
    }

    /// A product in which there may be so many bundles within each other.
    private mutating func item(id: JSONValue, bundles: Int) -> JSONValue {
        let kinds = ["physical", "digital", "subscription", "giftCard", "voucher", "rental"]
        let type = bundles > 0 && values.random.chance(25) ? "bundle" : values.random.pick(kinds)
        var members: [(String, JSONValue)] = [
            ("type", .string(type)), ("id", id), ("name", .string(values.string())), ("price", price()),
        ]
        if values.random.chance(70) { members.append(("sales", values.integer())) }
        for name in ["description", "imageURL"] where values.random.chance(50) {
            members.append((name, values.random.chance(10) ? .null : .string(values.string())))
        }
        if values.random.chance(50) { members.append(("category", categories())) }
        members += own(type, bundles: bundles)
        for number in 0..<Int.random(in: 0...4, using: &values.random) {
            members.append(("\(values.random.pick(["x", "é", "e\u{301}", "😀", "Type"]))\(number)", values.value()))
        }
        return .object(JSONObject(members.shuffled(using: &values.random)))
    }

    private mutating func categories() -> JSONValue {
        values.random.chance(50)
            ? category() : .array((0..<Int.random(in: 0...3, using: &values.random)).map { _ in category() })
    }

    private mutating func category() -> JSONValue {
        if values.random.chance(60) { return .string(values.string()) }
        let name = (["name", "path"].shuffled(using: &values.random)[0], JSONValue.string(values.string()))
        let more = [("id", values.integer()), ("path", .array([.string(values.string())])), ("x", values.value())]
        return .object(JSONObject([name] + more.filter { $0.0 != name.0 && values.random.chance(40) }))
    }

    private mutating func own(_ type: String, bundles: Int) -> [(String, JSONValue)] {
        switch type {
        case "physical":
            [("weight", values.decimal()), ("dimensions", dimensions()), ("size", values.value())]
        case "digital":
            [("downloadURL", .string(values.string())), ("size", values.integer()), ("weight", values.value())]
        case "subscription":
            [("interval", .string("\(values.string())x")), ("trialDays", values.integer())]
        case "giftCard":
            [("denominations", .array((0..<3).map { _ in values.decimal() })), ("isPopular", values.value())]
        case "bundle":
            [("products", .array(nested(bundles))), ("addOn", nested(bundles).first ?? .null)]
        default:
            [("products", values.value()), ("interval", values.value()), ("isPopular", values.value())]
        }
    }

    private mutating func nested(_ bundles: Int) -> [JSONValue] {
        (0..<Int.random(in: 0...2, using: &values.random)).map {
            item(id: .number(JSONNumber($0)), bundles: bundles - 1)
        }
    }

    private mutating func price() -> JSONValue {
        stranger(in: ["amount": values.decimal(), "currency": .string(values.random.pick(["EUR", "JPY", "KWD"]))])
    }

    private mutating func dimensions() -> JSONValue {
        stranger(in: ["width": values.decimal(), "height": values.decimal(), "depth": values.decimal()])
    }

    /// The object, sometimes with a member that nobody names.
    private mutating func stranger(in object: JSONObject) -> JSONValue {
        guard values.random.chance(30) else { return .object(object) }
        return .object(JSONObject([("unit", values.value())] + object.members.map { ($0.key, $0.value) }))
    }
}

/// JSON values of every sort, with a liking for those that are easily lost on the way.
struct RandomValues {
    var random: SeededGenerator

    private static let strings = [
        "", "Mug", "Krug №7", "😀👩‍👩‍👧‍👦", "كوب شاي", "ספל \u{202B}x\u{202C}", "e\u{301} is not \u{E9}",
        "\"\\/\u{8}\n\u{0}\u{1F}",
        "\u{2028}", "\u{10FFFF}", "type", "null",
    ]
    private static let numbers = [
        "0", "-0", "-0.0", "1.0", "1.50", "9007199254740993", "-9223372036854775809", "18446744073709551616", "1e400",
        "1E-400", "0.1", "0.30000000000000004", "123456789012345678901234567890.123456789012345678901234567890",
    ]

    mutating func string() -> String {
        random.pick(Self.strings) + (random.chance(30) ? random.pick(Self.strings) : "")
    }

    mutating func number() -> JSONNumber {
        let integer = JSONNumber(Int.random(in: -1000...1000, using: &random))
        return random.chance(50) ? integer : JSONNumber(literal: random.pick(Self.numbers)) ?? integer
    }

    mutating func value(depth: Int = 3) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
        case 0: return .null
        case 1: return .bool(random.chance(50))
        case 2: return .number(number())
        case 3: return .string(string())
        case 4: return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth - 1) })
        default:
            let names = (0..<Int.random(in: 0...4, using: &random)).map { "\(string())\($0)" }
            return .object(JSONObject(names.map { ($0, value(depth: depth - 1)) }))
        }
    }

    /// A decimal that can be kept to the digit, in one of the notations that sources use.
    mutating func decimal() -> JSONValue {
        let whole = Int.random(in: 0...100_000, using: &random)
        let cents = Int.random(in: 0..<100, using: &random)
        let sign = random.chance(5) ? "-" : ""
        let plain = "\(sign)\(whole).\(cents / 10)\(cents % 10)"
        let literal = random.pick([plain, "\(plain)0", "\(sign)\(whole)", "\(sign)\(whole)e2", "\(plain)E-3"])
        guard !random.chance(30), let number = JSONNumber(literal: literal) else { return .string(literal) }
        return .number(number)
    }

    /// A whole number, in one of the notations that sources use.
    mutating func integer() -> JSONValue {
        let integer = Int.random(in: 0...5000, using: &random)
        return .number(JSONNumber(literal: random.pick(["\(integer)", "\(integer).0", "\(integer)e1"])) ?? 0)
    }
}

extension JSONValue {
    /// Whether all that a source said is in what was written from it, at every depth.
    ///
    /// Numbers have to be the same number, also where a text held one, the id may have become text, a null may be gone, and so may `isPopular`.
    func isKept(in written: JSONValue?, as name: String = "") -> Bool {
        switch (self, written) {
        case (.null, nil): true
        case (.object(let object), .object(let other)?):
            object.members.allSatisfy { $0.key == "isPopular" || $0.value.isKept(in: other[$0.key], as: $0.key) }
        case (.array(let elements), .array(let others)?):
            elements.count == others.count && zip(elements, others).allSatisfy { $0.isKept(in: $1) }
        case (.number(let number), .string(let text)?): name == "id" && number.literal == text
        case (.number(let number), .number(let other)?):
            number.literal == other.literal || Self.isSame(number.literal, other.literal)
        case (.string(let text), .number(let other)?): Self.isSame(text, other.literal)
        default: self == written
        }
    }

    private static func isSame(_ text: String, _ other: String) -> Bool {
        guard let number = Decimal(string: text) else { return false }
        return number == Decimal(string: other)
    }
}
