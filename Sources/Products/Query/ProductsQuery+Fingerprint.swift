import FoundationEssentials
import Hashing
import JSON

extension ProductsQuery {
    /// What stands for the filters and the order in a ``PageCursor``: equal for queries whose pages fit together.
    ///
    /// `limit`, `fields` and `view` are not in it: a client may change the length of its pages, and the members, on the
    /// way.
    var fingerprint: UInt64 {
        SHA256Digest(of: JSONValue.object(selection).encoded()).words[0]
    }

    private var selection: JSONObject {
        var selection = JSONObject(minimumCapacity: 8)
        selection["types"] = types.map { Self.list($0) }
        selection["categories"] = categories.map { Self.list($0) }
        selection["popular"] = popular.map(JSONValue.bool)
        selection["ids"] = ids.map { Self.list($0) }
        selection["words"] = Self.list(words.map(\.folded))
        selection["minPrice"] = minPrice.map(Self.number)
        selection["maxPrice"] = maxPrice.map(Self.number)
        selection["sort"] = .array(sort.map { .string($0.description) })
        return selection
    }

    /// The amount in the one notation that equal amounts have.
    private static func number(_ amount: Decimal) -> JSONValue {
        ExactDecimal(amount).digits.map(JSONValue.number) ?? .string(amount.description)
    }

    /// In the order of their bytes: in that of `String` some that differ have none.
    private static func list(_ texts: some Sequence<String>) -> JSONValue {
        .array(texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map(JSONValue.string))
    }
}
