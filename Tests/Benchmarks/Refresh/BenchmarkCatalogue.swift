internal import JSON

/// A body of the benchmark's upstream whose products change in place.
struct ChangingBody: Sendable {
    private(set) var bytes: [UInt8]
    /// The place of the last digit of each product's count.
    private var places: [Int] = []

    /// - Parameters:
    ///   - count: the name of the member with a count of three digits, which changes.
    ///   - frame: the texts before and behind the items.
    init(_ items: some Sequence<[UInt8]>, count: String, in frame: (String, String) = ("[", "]")) {
        bytes = Array(frame.0.utf8)
        let member = Array("\"\(count)\":".utf8)
        for (number, item) in items.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            if let name = item.firstRange(of: member) { places.append(bytes.count + name.upperBound + 2) }
            bytes += item
        }
        bytes += frame.1.utf8
    }

    /// Makes products of every kind in Larder's own format: about 315 bytes each, or 225 without descriptions.
    init(native count: Int, isDescribed: Bool) {
        let items = (0..<count).lazy.map { BenchmarkCatalogue.native($0, isDescribed: isDescribed) }
        self.init(items.map { JSONValue.object($0).encoded() }, count: "sales")
    }

    /// Makes products of a shop, each with three variants, beside the lists of brands and categories that they name by id.
    init(included count: Int) {
        let lists = ["brands": BenchmarkCatalogue.brands, "categories": BenchmarkCatalogue.categories].sorted {
            $0.key < $1.key
        }
        let texts = lists.map { ",\"\($0)\":\(JSONValue.array($1))" }
        self.init(
            (0..<count).lazy.map { BenchmarkCatalogue.included($0).encoded() }, count: "sold",
            in: (#"{"products":["#, "]\(texts.joined())}"))
    }

    /// Makes the same products as JSON:API has them.
    init(jsonAPI count: Int) {
        let lists =
            BenchmarkCatalogue.resources("brand", BenchmarkCatalogue.brands)
            + BenchmarkCatalogue.resources("category", BenchmarkCatalogue.categories)
        self.init(
            (0..<count).lazy.map { BenchmarkCatalogue.resource($0).encoded() }, count: "sold",
            in: (#"{"data":["#, "],\"included\":\(JSONValue.array(lists))}"))
    }

    /// Changes the counts of so many products, spread evenly. Ten changes come back to the same counts.
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

    fileprivate static let brands = (0..<100).map { number in
        JSONValue.object([
            "id": .number(JSONNumber(number)), "name": .string("Mill No. \(number)"), "slug": .string("mill-\(number)"),
            "country": "DE",
        ])
    }

    fileprivate static let categories = (0..<50).map { number in
        JSONValue.object([
            "id": .string("c-\(number)"), "name": .string("Flours of type \(number)"),
            "slug": .string("flours-of-type-\(number)"),
        ])
    }

    fileprivate static func included(_ number: Int) -> JSONValue {
        .object([
            "id": .number(JSONNumber(number)), "title": .string("Rye flour, lot \(number)"),
            "description": .string(description(number)), "price": decimal(number * 37 % 9000 + 99),
            "sold": .number(JSONNumber(number % 250 + 100)), "weight": .number(JSONNumber(number % 9)),
            "brand_id": .number(JSONNumber(number % 100)),
            "category_ids": .array([.string("c-\(number % 50)"), .string("c-\(number * 7 % 50)")]),
            "variants": .array((1...3).map { variant(number, $0) }),
        ])
    }

    fileprivate static func resources(_ type: String, _ objects: [JSONValue]) -> [JSONValue] {
        objects.map { object in
            let id = object.object?["id"] ?? .null
            let text = id.string ?? "\(id)"
            return .object(["type": .string(type), "id": .string(text), "attributes": object])
        }
    }

    fileprivate static func resource(_ number: Int) -> JSONValue {
        func reference(_ type: String, _ id: String) -> JSONValue {
            .object(["type": .string(type), "id": .string(id)])
        }
        var attributes = included(number).object ?? JSONObject()
        for name in ["id", "brand_id", "category_ids"] { attributes[name] = nil }
        let categories = ["c-\(number % 50)", "c-\(number * 7 % 50)"].map { reference("category", $0) }
        return .object([
            "type": "product", "id": .string("\(number)"), "attributes": .object(attributes),
            "relationships": .object([
                "brand": .object(["data": reference("brand", "\(number % 100)")]),
                "categories": .object(["data": .array(categories)]),
            ]),
        ])
    }

    private static func variant(_ number: Int, _ size: Int) -> JSONValue {
        .object([
            "id": .number(JSONNumber(number * 3 + size)), "sku": .string("rye-\(number)-\(size)"),
            "price": decimal(number * 37 % 9000 + 99 * size),
            "options": .object(["size": .string("\(size) kg"), "mill": "stone"]),
            "inventory": .number(JSONNumber(number % 25)),
        ])
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
