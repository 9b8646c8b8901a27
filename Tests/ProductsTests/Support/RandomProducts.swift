import JSON
import Products
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
        if let bundle = product as? BundleProduct {
            let elements = object["products"]?.array ?? []
            object["products"] = .array(zip(elements, bundle.products).map { reordered($0, of: $1) })
            if let addOn = bundle.addOn { object["addOn"] = object["addOn"].map { reordered($0, of: addOn) } }
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
        for name in ["description", "imageURL", "category"] where values.random.chance(50) {
            members.append((name, values.random.chance(10) ? .null : .string(values.string())))
        }
        members += own(type, bundles: bundles)
        for number in 0..<Int.random(in: 0...4, using: &values.random) {
            members.append(("\(values.random.pick(["x", "é", "e\u{301}", "😀", "Type"]))\(number)", values.value()))
        }
        return .object(JSONObject(members.shuffled(using: &values.random)))
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
