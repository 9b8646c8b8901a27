import FoundationEssentials
import Hashing
import JSON

extension ProductsQuery {
    /// What stands for the filters and the order in a ``PageCursor``: equal for queries whose pages fit together.
    var fingerprint: UInt64 {
        var selection = JSONObject(minimumCapacity: 8)
        for parameter in ProductsQueryParameter.allCases {
            if let (name, value) = selected(by: parameter) { selection[name] = value }
        }
        return SHA256Digest(of: JSONValue.object(selection).encoded()).words[0]
    }

    /// What a parameter selects or orders; nil where it does neither, and the client may change it from page to page.
    private func selected(by parameter: ProductsQueryParameter) -> (name: String, value: JSONValue)? {
        switch parameter {
        case .limit, .cursor, .fields, .view: nil
        case .type: types.map { ("types", Self.list($0.map(\.text))) }
        case .category: categories.map { ("categories", Self.list($0.map(\.text))) }
        case .popular: popular.map { ("popular", .bool($0)) }
        case .ids: ids.map { ("ids", Self.list($0.map(\.text))) }
        case .q: ("words", Self.list(words.map(\.folded)))
        case .minPrice: minPrice.map { ("minPrice", Self.number($0)) }
        case .maxPrice: maxPrice.map { ("maxPrice", Self.number($0)) }
        case .sort: ("sort", .array(sort.map { .string($0.description) }))
        }
    }

    /// The amount in the one notation that equal amounts have.
    private static func number(_ amount: Decimal) -> JSONValue {
        ExactDecimal(amount).digits.map(JSONValue.number) ?? .string(amount.description)
    }

    /// In the order of their bytes: in that of `String` some that differ have none.
    private static func list(_ texts: [String]) -> JSONValue {
        .array(texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map(JSONValue.string))
    }
}
