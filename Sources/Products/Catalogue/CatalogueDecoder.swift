internal import Concurrency
package import JSON
package import PolymorphicCodable

/// Decodes products in the service's own format: an array, or an object with the array as its member `products`.
package struct NativeCatalogueDecoder: Sendable {
    private static let member = "products"
    private static let expected = "expected an array or an object with \"products\", found"

    private let unknownKinds: UnknownKindPolicy
    private let makesAll: Bool

    /// Creates a decoder.
    /// - Parameters:
    ///   - unknownKinds: products, also nested ones, of an unknown `type` are an error, are skipped and reported, or are
    ///     passed on as ``KeptProduct``.
    ///   - makesAll: whether every product is made and none copied, which gives the same in more time; for comparisons.
    package init(unknownKinds: UnknownKindPolicy = .reject, makesAll: Bool = false) {
        self.unknownKinds = unknownKinds
        self.makesAll = makesAll
    }

    /// Decodes a document product by product, so that its whole tree is never in memory.
    /// - Throws: `malformed`; the detail names the index and the member, as in `[7312].price.amount: …`.
    package func decode(_ bytes: [UInt8]) throws(ProductsFailure) -> DecodedProducts {
        try decoding(about: bytes.count) { items in
            let (range, path) = try array(in: bytes)
            try items.append(elementsOf: bytes, in: range, at: path)
        }
    }

    /// Decodes a document that is an array and nothing else.
    /// - Throws: `malformed`, as above.
    func decode(array bytes: [UInt8]) throws(ProductsFailure) -> DecodedProducts {
        try decoding(about: bytes.count) { try $0.append(elementsOf: bytes, in: bytes.indices, at: []) }
    }

    /// Decodes parsed items, such as those of several pages; indexes count through all of them.
    /// - Throws: `malformed`, as above.
    package func decode(items: [JSONValue]) throws(ProductsFailure) -> DecodedProducts {
        try decoding { decoded in
            for item in items { try decoded.append(item, in: []) }
        }
    }

    /// Decodes one object of an array by its index, unless its kind is unknown and skipped.
    /// - Parameter change: changes the product; nil leaves it as it is, which takes less time.
    /// - Throws: `malformed`, as above; then nothing is appended.
    package func append(
        _ object: JSONObject, at index: Int, to decoded: inout DecodedProducts,
        changing change: ((any Product) -> any Product)? = nil
    ) throws(ProductsFailure) {
        var items = ItemDecoding(unknownKinds: unknownKinds, makesAll: makesAll, from: index, adding: decoded)
        decoded = DecodedProducts()
        defer { decoded = items.decoded }
        do {
            try items.append(.object(object), in: [], changing: change)
        } catch {
            throw ProductsFailure(decoding: error)
        }
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
        about size: Int = 0, _ body: (inout ItemDecoding) throws -> Void
    ) throws(ProductsFailure) -> DecodedProducts {
        var items = ItemDecoding(
            unknownKinds: unknownKinds, makesAll: makesAll, adding: DecodedProducts(about: size))
        do {
            try body(&items)
        } catch {
            throw ProductsFailure(decoding: error)
        }
        return items.decoded.closed()
    }
}

/// Decodes the items of a document one after the other.
struct ItemDecoding {
    private(set) var decoded: DecodedProducts
    private let userInfo: [CodingUserInfoKey: Any]
    private let skipped: SkippedReasons?
    private let makesAll: Bool
    private var index: Int

    init(
        unknownKinds policy: UnknownKindPolicy, makesAll: Bool, from index: Int = 0,
        adding decoded: consuming DecodedProducts
    ) {
        let skipped = policy == .skip ? SkippedReasons() : nil
        self.skipped = skipped
        userInfo = policy == .reject ? [:] : [.unknownKinds: UnknownKinds(policy) { skipped?.append($0.description) }]
        self.makesAll = makesAll
        self.index = index
        self.decoded = decoded
    }

    /// Decodes the items of the array at a path, which is a part of a text.
    mutating func append(elementsOf bytes: [UInt8], in range: Range<Int>, at path: [JSONPathKey]) throws {
        var pass = CanonicalPass(bytes)
        try JSONParser().forEachElement(
            of: bytes, in: range, passing: { append(at: $0, by: &pass) }, else: { try decode($0, in: path) })
    }

    /// Copies the next item, which begins at an offset of the text of a pass.
    /// - Returns: the offset behind it; nil when it has to be decoded.
    mutating func append(at offset: Int, by pass: inout CanonicalPass) -> Int? {
        guard !makesAll, let end = decoded.append({ pass.append(at: offset, to: &$0) }) else { return nil }
        index += 1
        return end
    }

    /// Decodes the next item of the array at a path.
    mutating func append(
        _ item: JSONValue, in path: [JSONPathKey], changing change: ((any Product) -> any Product)? = nil
    ) throws {
        if change == nil {
            var pass = CanonicalPass(item.encoded())
            if append(at: 0, by: &pass) != nil { return }
        }
        try decode(item, in: path, changing: change)
    }

    /// Makes the product of the next item, and encodes it.
    mutating func decode(
        _ item: JSONValue, in path: [JSONPathKey], changing change: ((any Product) -> any Product)? = nil
    ) throws {
        let decoder = JSONValueDecoder(item, at: path + [.index(index)], userInfo: userInfo)
        do {
            if let product = try ProductKind.decodePolymorphicIfKnown(from: decoder) {
                let product = change?(product) ?? product
                _ = try decoded.append { try JSONByteEncoder.append(product, to: &$0) }
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
    /// The products in canonical form, in the order of the document.
    package private(set) var array: EncodedArray
    /// The skipped items, in the order of the document.
    package var skipped: [SkippedItem] = []

    /// - Parameter size: about how many bytes the products have.
    package init(about size: Int = 0) {
        array = EncodedArray(capacity: size + size / 8)
    }

    /// The products, in the order of the document.
    package var products: EncodedProducts { EncodedProducts(array) }

    mutating func append<Result>(_ write: (inout [UInt8]) throws -> Result?) rethrows -> Result? {
        try array.append(write)
    }

    /// The whole, to which nothing is added.
    package consuming func closed() -> DecodedProducts {
        array.close()
        return self
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
