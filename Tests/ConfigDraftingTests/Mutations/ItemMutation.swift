internal import JSON
internal import TestSupport

/// A step to a place within an item.
enum PlaceStep: Hashable, CustomStringConvertible {
    case name(String)
    case index(Int)

    var description: String {
        switch self {
        case .name(let name): name
        case .index(let index): "\(index)"
        }
    }
}

/// Changes an item at one place: the type of a value, its digits or text, or the members that are there.
struct ItemMutation {
    var random: SeededGenerator
    /// Whether texts with an amount and a currency are among the values.
    var hasMoney = false

    /// Names that mean something in Larder's own form.
    private static let ownNames = [
        "id", "name", "type", "price", "sales", "description", "imageURL", "category", "images", "variants",
        "priceRange",
        "unconverted", "weight", "dimensions", "denominations", "products", "isPopular", "interval", "size",
    ]

    private static let texts = [
        "", "0", "-1", "-0", "1.2 lb", "12", "12.50", "1e2", "١٢", "１２", "12\u{301}", "12\u{0}", " 12", "12 ", "0x1F",
        "NaN",
        "Infinity", "1_000", "1,50", "\u{202E}21\u{202C}", "\u{FEFF}12", "\u{1D7CF}\u{1D7D0}", "e\u{301}", "é", "😀",
        "usd", "EUR", "€", "JPY", "KWD", "XXX", "US$", "true", "null", "ITEM", "book", "\\u0031",
        "a\"b\\c/\u{8}\u{7F}\u{2028}",
        "123456789012345678901234567890.12345678901234567890", String(repeating: "9", count: 400),
        "0.\(String(repeating: "0", count: 300))1", "1e9223372036854775807", "1e-9223372036854775808", "1e-400",
    ]

    private static let numbers = [
        "0", "-0", "-1", "0.1", "0.30000000000000004", "19.990", "1E+2", "1e-2", "1e400", "1e-400",
        "1e9223372036854775807",
        "9007199254740993", "18446744073709551616", "12345678901234567890123456789012345678",
        "123456789012345678901234567890123456789", "1.2345678901234567890123456789012345678",
        "99999999999999999999999999999999999999e90", "0e999999999999", "3", "2",
    ]

    /// - Returns: the changed item, and the place of the change.
    mutating func changed(_ item: JSONValue) -> (item: JSONValue, place: [PlaceStep]) {
        var places: [[PlaceStep]] = []
        Self.collect(item, [], &places)
        let words = ["price", "amount", "currency", "cent", "id", "name", "title", "digits", "minor"]
        let telling = places.filter { place in
            let text = place.last?.description.lowercased() ?? ""
            return words.contains { text.contains($0) }
        }
        let chosen = Int.random(in: 0..<3, using: &random) > 0 && !telling.isEmpty ? telling : places
        guard !chosen.isEmpty, Int.random(in: 0..<40, using: &random) > 0 else { return (value(of: item), []) }
        let place = chosen[Int.random(in: chosen.indices, using: &random)]
        return (changed(item, at: place[...], depth: 0), place)
    }

    private static func collect(_ value: JSONValue, _ place: [PlaceStep], _ places: inout [[PlaceStep]]) {
        if !place.isEmpty { places.append(place) }
        for member in value.object?.members ?? [] { collect(member.value, place + [.name(member.key)], &places) }
        for (index, element) in (value.array ?? []).enumerated() { collect(element, place + [.index(index)], &places) }
    }

    private mutating func changed(_ value: JSONValue, at place: ArraySlice<PlaceStep>, depth: Int) -> JSONValue {
        guard let step = place.first else { return self.value(of: value) }
        let isLast = place.count == 1
        switch (value, step) {
        case (.object(let object), .name(let name)):
            var members = object.members.map { ($0.key, $0.value) }
            guard let position = members.firstIndex(where: { $0.0 == name }) else { return value }
            guard isLast else {
                members[position].1 = changed(members[position].1, at: place.dropFirst(), depth: depth + 1)
                return .object(JSONObject(members))
            }
            switch Int.random(in: 0..<16, using: &random) {
            case 0, 1: members.remove(at: position)
            case 2: members[position].0 += "x"
            case 3: members[position].0 = members[position].0.uppercased()
            case 4:
                let name = depth == 0 ? Self.ownNames.randomElement(using: &random) : "extra"
                members.append((name ?? "id", self.value(of: .null)))
            case 5:
                let other = Int.random(in: members.indices, using: &random)
                (members[position].1, members[other].1) = (members[other].1, members[position].1)
            case 6: members.append((members.remove(at: position)))
            default: members[position].1 = self.value(of: members[position].1)
            }
            return .object(JSONObject(members))
        case (.array(let elements), .index(let index)) where elements.indices.contains(index):
            var elements = elements
            if isLast, Int.random(in: 0..<4, using: &random) == 0 {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: elements.remove(at: index)
                case 1: elements.append(elements[index])
                default: elements.reverse()
                }
            } else {
                elements[index] = changed(elements[index], at: place.dropFirst(), depth: depth + 1)
            }
            return .array(elements)
        default: return value
        }
    }

    /// Another value, which may say the same in another type.
    private mutating func value(of value: JSONValue) -> JSONValue {
        let number = Self.numbers.randomElement(using: &random).flatMap { JSONNumber(literal: $0) }.map(
            JSONValue.number)
        let text = JSONValue.string(Self.texts.randomElement(using: &random) ?? "")
        if hasMoney, Int.random(in: 0..<2, using: &random) == 0 {
            return .string(PlainMoney.samples.randomElement(using: &random) ?? "")
        }
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .array([])
        case 3: return .object([:])
        case 4: return .array([value])
        case 5: return .object(["extra": value, "amount": number ?? .null])
        case 6: return .array([.null, 7, text])
        case 7: return .string(String(repeating: Bool.random(using: &random) ? "x" : "é", count: 70_000))
        case 8:
            return value.number.map { .string($0.literal) } ?? value.string.flatMap { JSONNumber(literal: $0) }.map(
                JSONValue.number) ?? text
        case 9, 10, 11: return number ?? .null
        default: return text
        }
    }
}
