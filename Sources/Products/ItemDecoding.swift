import JSON
import PolymorphicCodable

/// Decodes the items of a document one after the other.
struct ItemDecoding {
    private(set) var decoded = DecodedProducts()
    private let userInfo: [CodingUserInfoKey: Any]
    private let skipped: SkippedKinds?
    private var index: Int

    /// A decoding that begins with the item at an index.
    init(unknownKinds policy: UnknownKindPolicy, from index: Int = 0) {
        skipped = policy == .skip ? SkippedKinds() : nil
        userInfo = policy == .reject ? [:] : [.unknownKinds: UnknownKinds(policy, skipped: skipped)]
        self.index = index
    }

    /// Decodes the next item, which stands in an array to which the path leads.
    mutating func append(_ item: JSONValue, in path: [JSONPathKey]) throws {
        let decoder = JSONValueDecoder(item, at: path + [.index(index)], userInfo: userInfo)
        do {
            if let product = try PolymorphicIfKnown<ProductKind>(from: decoder).value {
                decoded.products.append(product)
            }
        } catch {
            throw ProductsFailure(decoding: error).from(FailureSource(itemID: item.object?["id"]))
        }
        if let skipped {
            decoded.skipped += skipped.take().map { SkippedItem(index: index, reason: $0.description) }
        }
        index += 1
    }
}
