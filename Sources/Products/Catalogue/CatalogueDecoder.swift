internal import Concurrency
package import JSON
package import PolymorphicCodable

/// Decodes products in the service's own format: an array, or an object with the array as its member `products`.
package struct NativeCatalogueDecoder: Sendable {
    private static let member = "products"
    private static let expected = "expected an array or an object with \"products\", found"

    private let unknownKinds: UnknownKindPolicy

    /// Creates a decoder.
    /// - Parameter unknownKinds: products, also nested ones, of an unknown `type` are an error, are skipped and reported,
    ///   or are passed on as ``KeptProduct``.
    package init(unknownKinds: UnknownKindPolicy = .reject) {
        self.unknownKinds = unknownKinds
    }

    /// Decodes a document product by product, so that its whole tree is never in memory.
    /// - Throws: `malformed`; the detail names the index and the member, as in `[7312].price.amount: …`.
    package func decode(_ bytes: [UInt8]) throws(ProductsFailure) -> DecodedProducts {
        try decoding { items in
            let (range, path) = try array(in: bytes)
            try JSONParser().forEachElement(of: bytes, in: range) { element, _ in try items.append(element, in: path) }
        }
    }

    /// Decodes parsed items, such as those of several pages; indexes count through all of them.
    /// - Throws: `malformed`, as above.
    package func decode(items: [JSONValue]) throws(ProductsFailure) -> DecodedProducts {
        try decoding { decoded in
            for item in items { try decoded.append(item, in: []) }
        }
    }

    /// Decodes one object of an array by its index; nil when its kind is unknown and skipped.
    /// - Parameter skipped: receives the skipped object, or skipped products within it.
    /// - Throws: `malformed`, as above.
    package func product(
        in object: JSONObject, at index: Int, skipped: inout [SkippedItem]
    ) throws(ProductsFailure) -> (any Product)? {
        let decoded = try decoding(from: index) { try $0.append(.object(object), in: []) }
        skipped += decoded.skipped
        return decoded.products.first
    }

    private func array(in bytes: [UInt8]) throws -> (Range<Int>, path: [JSONPathKey]) {
        let first = bytes.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
        if first == UInt8(ascii: "[") { return (bytes.indices, []) }
        guard first == UInt8(ascii: "{") else {
            throw ProductsFailure.malformed(detail: "\(Self.expected) \(try JSONParser().parse(bytes).kindName)")
        }
        let members = try JSONParser().parseMemberRanges(bytes)
        for member in members where member.key != Self.member { _ = try JSONParser().parse(bytes, in: member.range) }
        guard let found = members.first(where: { $0.key == Self.member }) else {
            throw ProductsFailure.malformed(detail: "\(Self.expected) an object without")
        }
        if bytes[found.range.lowerBound] != UInt8(ascii: "[") {
            let value = try JSONParser().parse(bytes, in: found.range)
            throw ProductsFailure.malformed(detail: "\(Self.member): expected an array, found \(value.kindName)")
        }
        return (found.range, [.name(Self.member)])
    }

    private func decoding(
        from index: Int = 0, _ body: (inout ItemDecoding) throws -> Void
    ) throws(ProductsFailure) -> DecodedProducts {
        var items = ItemDecoding(unknownKinds: unknownKinds, from: index)
        do {
            try body(&items)
        } catch {
            throw ProductsFailure(decoding: error)
        }
        return items.decoded
    }
}

/// Decodes the items of a document one after the other.
struct ItemDecoding {
    private(set) var decoded = DecodedProducts()
    private let userInfo: [CodingUserInfoKey: Any]
    private let skipped: SkippedReasons?
    private var index: Int

    init(unknownKinds policy: UnknownKindPolicy, from index: Int = 0) {
        let skipped = policy == .skip ? SkippedReasons() : nil
        self.skipped = skipped
        userInfo = policy == .reject ? [:] : [.unknownKinds: UnknownKinds(policy) { skipped?.append($0.description) }]
        self.index = index
    }

    /// Decodes the next item of the array at a path.
    mutating func append(_ item: JSONValue, in path: [JSONPathKey]) throws {
        let decoder = JSONValueDecoder(item, at: path + [.index(index)], userInfo: userInfo)
        do {
            if let product = try ProductKind.decodePolymorphicIfKnown(from: decoder) {
                decoded.products.append(product)
            }
        } catch {
            throw ProductsFailure(decoding: error).from(FailureSource(itemID: item.object?["id"]))
        }
        if let skipped {
            decoded.skipped += skipped.take().map { SkippedItem(index: index, reason: $0) }
        }
        index += 1
    }
}

/// Collects the reasons of the products that are skipped within one item.
private final class SkippedReasons: Sendable {
    private let reasons = Mutex<[String]>([])

    func append(_ reason: String) {
        reasons.withLock { $0.append(reason) }
    }

    func take() -> [String] {
        reasons.withLock { reasons in
            defer { reasons = [] }
            return reasons
        }
    }
}

/// The products of a document, and the skipped ones.
public struct DecodedProducts: Sendable {
    /// The products, in the order of the document.
    package var products: [any Product]
    /// The skipped items, in the order of the document.
    package var skipped: [SkippedItem]

    package init(products: [any Product] = [], skipped: [SkippedItem] = []) {
        self.products = products
        self.skipped = skipped
    }
}

/// An item, or a product within one, that was skipped in decoding.
package struct SkippedItem: Sendable, Hashable {
    package let index: Int
    /// Path and reason for operators: `[12].products[0].type: unknown kind "x"; known are "physical", …`.
    package let reason: String

    package init(index: Int, reason: String) {
        self.index = index
        self.reason = reason
    }
}
