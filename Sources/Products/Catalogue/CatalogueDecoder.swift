public import JSON
public import PolymorphicCodable

/// Decodes products in the form that this service itself speaks: an array, or an object whose member `products` is one.
public struct NativeCatalogueDecoder: Sendable {
    private static let member = "products"
    private static let expected = "expected an array or an object with \"products\", found"

    private let unknownKinds: UnknownKindPolicy

    /// A decoder of our own form.
    /// - Parameter unknownKinds: what becomes of products, nested ones too, whose `type` names no kind: they are an
    ///   error, are left out and reported, or are passed on as ``KeptProduct``.
    public init(unknownKinds: UnknownKindPolicy = .reject) {
        self.unknownKinds = unknownKinds
    }

    /// The products in a document. They are decoded as they are read, so the document's tree is never all in memory.
    /// - Throws: `malformed`; the detail names the index and the member, as in `[7312].price.amount: …`.
    public func decode(_ bytes: [UInt8]) throws(ProductsFailure) -> DecodedProducts {
        try decoding { items in
            let (range, path) = try array(in: bytes)
            try JSONParser().forEachElement(of: bytes, in: range) { element, _ in try items.append(element, in: path) }
        }
    }

    /// The products in items that have been parsed, such as those of several pages; indexes count through all of them.
    /// - Throws: `malformed`, as above.
    public func decode(items: [JSONValue]) throws(ProductsFailure) -> DecodedProducts {
        try decoding { decoded in
            for item in items { try decoded.append(item, in: []) }
        }
    }

    /// The product in one object, which stands at an index of somebody's array; nil when it is of an unknown kind and
    /// those are skipped.
    /// - Parameter skipped: gets what was left out, the object itself or products within it.
    /// - Throws: `malformed`, as above.
    public func product(
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

/// What a document held: its products, and what was left out of them because the caller allowed that.
public struct DecodedProducts: Sendable {
    /// The products, in the order of the document.
    public var products: [any Product]
    /// What was left out, in the order of the document.
    public var skipped: [SkippedItem]

    /// The products of a document.
    public init(products: [any Product] = [], skipped: [SkippedItem] = []) {
        self.products = products
        self.skipped = skipped
    }
}

/// Something that was left out when a document was decoded: an item, or a product within one.
public struct SkippedItem: Sendable, Hashable {
    /// The index of the item, in which or as which it stood.
    public let index: Int
    /// Where exactly and why, as `[12].products[0].type: unknown kind "x"; known are "physical", …`. For operators.
    public let reason: String

    /// Something that was left out.
    public init(index: Int, reason: String) {
        self.index = index
        self.reason = reason
    }
}
