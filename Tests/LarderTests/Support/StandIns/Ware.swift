import JSON

/// Something that a shop has on its shelves, in no API's words.
struct Ware: Sendable {
    /// From 1, in the order of the shelves.
    let number: Int
    var name: String
    /// In the currency's minor unit; nil for what is not for sale at present.
    var cents: Int?
    var isDigital: Bool
    /// Not to be seen by customers.
    var isHidden: Bool
    var sales: Int
    var hasPicture: Bool

    /// A picture's place; nil without one.
    var picture: String? { hasPicture ? "https://img.shop.example/\(number).jpg" : nil }

    /// Wares of all sorts. Another edition has other names and prices, and one ware more.
    static func stock(edition: Int = 0) -> [Ware] {
        (1...34 + edition).map { number in
            Ware(
                number: number, name: "\(names[number % names.count]) \(number)\(edition == 0 ? "" : " new")",
                cents: number == 13 ? nil : prices[number % prices.count] + edition,
                isDigital: number.isMultiple(of: 4), isHidden: number == 21, sales: number * 7 % 200,
                hasPicture: !number.isMultiple(of: 5))
        }
    }

    private static let names = ["Rye flour", "Käse, \"alt\"", "لوز", "Crème brûlée \\ 🍮", "Tea <b>&amp;</b>"]
    private static let prices = [1999, 1990, 10, 7, 123_456_700, 100, 1_005]

    /// The wares of a page, from those at a position.
    static func page(of wares: [Ware], from position: Int, limit: Int) -> [Ware] {
        Array(wares.dropFirst(position).prefix(limit))
    }
}

extension Int {
    /// An amount of the currency's main unit, all digits of the minor unit shown: `19.90`.
    func amount(digits: Int = 2) -> String {
        guard digits > 0 else { return "\(self)" }
        let text = String(repeating: "0", count: Swift.max(0, digits + 1 - "\(self)".count)) + "\(self)"
        return "\(text.dropLast(digits)).\(text.suffix(digits))"
    }

    /// The same without zeros that mean nothing, as JavaScript and Larder write it: `19.9`.
    func shortAmount(digits: Int = 2) -> String {
        var text = amount(digits: digits)
        while text.contains("."), text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}

extension String {
    /// The text as a JSON string.
    var json: String { "\(JSONValue.string(self))" }

    /// The text, which is a JSON object, with those of its members whose names are wanted.
    func keeping(_ isWanted: (String) -> Bool) -> String {
        guard let object = try? JSONParser().parse(Array(utf8)).object else {
            preconditionFailure("not a JSON object: \(self)")
        }
        return "\(JSONValue.object(JSONObject(object.members.filter { isWanted($0.key) }.map { ($0.key, $0.value) })))"
    }
}
