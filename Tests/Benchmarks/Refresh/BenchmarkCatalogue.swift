internal import JSON

/// A body of the benchmark's upstream in Larder's own format, whose products change in place.
struct NativeBody: Sendable {
    private(set) var bytes = [UInt8(ascii: "[")]
    /// The place of the last digit of each product's sales.
    private var places: [Int] = []

    /// Makes products of every kind: about 315 bytes each, or 225 without descriptions.
    init(count: Int, isDescribed: Bool) {
        let member = Array("\"sales\":".utf8)
        for number in 0..<count {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            let item = JSONValue.object(BenchmarkCatalogue.native(number, isDescribed: isDescribed)).encoded()
            if let name = item.firstRange(of: member) { places.append(bytes.count + name.upperBound + 2) }
            bytes += item
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Changes the sales of so many products, spread evenly. Ten changes come back to the same sales.
    mutating func change(_ count: Int) {
        for number in 0..<count {
            let place = places[number * places.count / count]
            bytes[place] = bytes[place] == UInt8(ascii: "9") ? UInt8(ascii: "0") : bytes[place] + 1
        }
    }
}

/// The products of the benchmark's upstream.
enum BenchmarkCatalogue {
    /// A body in the format of a shop that has to be mapped.
    static func foreign(count: Int) -> [UInt8] {
        JSONValue.array((0..<count).map { foreign($0) }).encoded()
    }

    fileprivate static func native(_ number: Int, isDescribed: Bool) -> JSONObject {
        var item = plain(number, isDescribed)
        switch number % 10 {
        case 0:
            item["type"] = "bundle"
            item["products"] = .array([.object(physical(number, isDescribed, id: "\(number)-part"))])
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
            item = physical(number, isDescribed, id: "sku-\(number)")
        }
        item["supplier"] = .object(["name": "Mill and Sons", "rating": decimal(number % 500)])
        return item
    }

    private static func physical(_ number: Int, _ isDescribed: Bool, id: String) -> JSONObject {
        var item = plain(number, isDescribed)
        item["type"] = "physical"
        item["id"] = .string(id)
        item["weight"] = decimal(number % 900 + 5)
        return item
    }

    private static func plain(_ number: Int, _ isDescribed: Bool) -> JSONObject {
        var item: JSONObject = [
            "id": .string("sku-\(number)"), "name": .string("Rye flour, lot \(number)"),
            "price": .object(["amount": decimal(number * 37 % 9000 + 99), "currency": "EUR"]),
            "sales": .number(JSONNumber(number % 250 + 100)), "category": "pantry",
        ]
        if isDescribed { item["description"] = .string(description(number)) }
        return item
    }

    private static func description(_ number: Int) -> String {
        "Milled from whole grain; keeps for a year in a dry place. No. \(number)."
    }

    private static func foreign(_ number: Int) -> JSONValue {
        .object([
            "id": .number(JSONNumber(number)), "title": .string("Rye flour, lot \(number)"),
            "description": .string(description(number)),
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
