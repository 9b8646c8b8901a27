internal import JSON

/// The bodies of the benchmark's upstream: products of every kind and of realistic length.
enum BenchmarkCatalogue {
    /// Larder's own format, about 300 bytes for each product.
    static func native(count: Int) -> [UInt8] {
        body((0..<count).map { native($0) })
    }

    /// The format of a shop that has to be mapped.
    static func foreign(count: Int) -> [UInt8] {
        body((0..<count).map { foreign($0) })
    }

    private static func body(_ items: [JSONValue]) -> [UInt8] {
        JSONValue.array(items).encoded()
    }

    private static func native(_ number: Int) -> JSONValue {
        var item = plain(number)
        switch number % 10 {
        case 0:
            item["type"] = "bundle"
            item["products"] = .array([.object(physical(number, id: "\(number)-part"))])
        case 1:
            item["type"] = "subscription"
            item["interval"] = "month"
            item["trialDays"] = .number(JSONNumber(number % 30))
        case 2:
            item["type"] = "giftCard"
            item["denominations"] = .array([decimal(1000), decimal(2500), decimal(5000)])
        case 3, 4:
            item["type"] = "digital"
            item["size"] = .number(JSONNumber(number * 1024))
        default:
            item = physical(number, id: "sku-\(number)")
        }
        item["supplier"] = .object(["name": "Mill and Sons", "rating": decimal(number % 500)])
        return .object(item)
    }

    private static func physical(_ number: Int, id: String) -> JSONObject {
        var item = plain(number)
        item["type"] = "physical"
        item["id"] = .string(id)
        item["weight"] = decimal(number % 900 + 5)
        return item
    }

    private static func plain(_ number: Int) -> JSONObject {
        [
            "id": .string("sku-\(number)"), "name": .string("Rye flour, lot \(number)"),
            "price": .object(["amount": decimal(number * 37 % 9000 + 99), "currency": "EUR"]),
            "sales": .number(JSONNumber(number % 250)), "category": "pantry",
            "description": .string("Milled from whole grain; keeps for a year in a dry place. No. \(number)."),
        ]
    }

    private static func foreign(_ number: Int) -> JSONValue {
        .object([
            "id": .number(JSONNumber(number)), "title": .string("Rye flour, lot \(number)"),
            "description": .string("Milled from whole grain; keeps for a year in a dry place. No. \(number)."),
            "category": "pantry", "price": decimal(number * 37 % 9000 + 99),
            "stock": .number(JSONNumber(number % 250)), "weight": .number(JSONNumber(number % 9)),
            "supplier": .object(["name": "Mill and Sons", "rating": decimal(number % 500)]),
        ])
    }

    /// Hundredths as a decimal number.
    private static func decimal(_ hundredths: Int) -> JSONValue {
        let cents = hundredths % 100
        return JSONNumber(literal: "\(hundredths / 100).\(cents < 10 ? "0" : "")\(cents)").map(JSONValue.number)
            ?? .null
    }
}
