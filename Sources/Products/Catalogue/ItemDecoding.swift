internal import Concurrency
package import FoundationEssentials
internal import JSON
internal import PolymorphicCodable

/// Decodes the items of a document one after the other.
struct ItemDecoding {
    private(set) var decoded: DecodedProducts
    private let userInfo: [CodingUserInfoKey: Any]
    private let skipped: SkippedReasons?
    private var index: Int
    private var walk: KnownProducts.Walk?
    private var pass = CanonicalPass()
    /// An item in the service's own form.
    private var rewritten: [UInt8] = []

    init(
        unknownKinds policy: UnknownKindPolicy, from index: Int = 0, adding decoded: consuming DecodedProducts,
        knowing known: KnownProducts? = nil
    ) {
        walk = known.map(KnownProducts.Walk.init)
        let skipped = policy == .skip ? SkippedReasons() : nil
        self.skipped = skipped
        userInfo = policy == .reject ? [:] : [.unknownKinds: UnknownKinds(policy) { skipped?.append($0.description) }]
        self.index = index
        self.decoded = decoded
    }

    /// The products, closed in place.
    consuming func closed() -> DecodedProducts {
        decoded.close()
        return decoded
    }

    /// Copies the next item, which begins at an offset of a text, from the earlier encoding.
    /// - Returns: the offset behind it; nil when it has changed.
    mutating func recognise(at offset: Int, of source: [UInt8]) -> Int? {
        guard let (range, text, end) = walk?.next(at: offset, of: source.span), let encoded = walk?.encoded else {
            return nil
        }
        _ = decoded.append { $0.append(encoded.span, range) as Void? }
        decoded.texts.append(text)
        index += 1
        return end
    }

    /// Copies the next item, which begins at an offset of a text.
    /// - Returns: the offset behind it; nil when it has to be decoded.
    mutating func copy(at offset: Int, of source: [UInt8]) -> Int? {
        guard let end = decoded.append({ pass.append(at: offset, of: source, to: &$0) }) else { return nil }
        record(KnownProducts.Text(source.span, offset..<end))
        index += 1
        return end
    }

    /// Copies the next item in the form that a function gives it.
    /// - Returns: the offset behind it; nil when it has to be read.
    mutating func copy(
        at offset: Int, of source: [UInt8], by rewrite: (Int, inout [UInt8]) -> Int?
    ) -> Int? {
        rewritten.removeAll(keepingCapacity: true)
        guard let end = rewrite(offset, &rewritten),
            decoded.append({ pass.append(at: 0, of: rewritten, to: &$0) }) != nil
        else { return nil }
        record(KnownProducts.Text(source.span, offset..<end))
        index += 1
        return end
    }

    private mutating func record(_ text: KnownProducts.Text) {
        walk?.pass(decoded.array.lastID)
        decoded.record(text)
    }

    /// Decodes the next item of the array at a path.
    mutating func append(
        _ item: JSONValue, in path: [JSONPathKey], changing change: ((any Product) -> any Product)? = nil
    ) throws {
        if change == nil {
            let text = item.encoded()
            if decoded.append({ pass.append(at: 0, of: text, to: &$0) }) != nil {
                index += 1
                return
            }
        }
        try decode(item, in: path, changing: change)
    }

    /// Makes the product of the next item, and encodes it.
    /// - Parameter source: a text and the item's range in it.
    mutating func decode(
        _ item: JSONValue, in path: [JSONPathKey], from source: (text: [UInt8], range: Range<Int>)? = nil,
        changing change: ((any Product) -> any Product)? = nil
    ) throws {
        let (userInfo, skipped) = (userInfo, skipped)
        try append(item, from: source) { item, index, decoded in
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
                decoded.skipped += skipped.consume().map { SkippedItem(index: index, reason: $0) }
            }
        }
    }

    /// Appends the next item by a body.
    ///
    /// The text of an item that was skipped, fully or in part, is not recorded, so that it is read and reported each
    /// time.
    /// - Parameter source: a text and the item's range in it.
    mutating func append(
        _ item: JSONValue, from source: (text: [UInt8], range: Range<Int>)?,
        by body: (JSONValue, Int, inout DecodedProducts) throws -> Void
    ) throws {
        let before = (products: decoded.array.count, skipped: decoded.skipped.count)
        try body(item, index, &decoded)
        index += 1
        // The known products hold nothing for an item without a product, so the next one stays expected.
        guard let source, decoded.array.count > before.products else { return }
        let isWhole = decoded.skipped.count == before.skipped
        record(isWhole ? KnownProducts.Text(source.text.span, source.range) : .none)
    }
}

/// Collects the reasons of the products that are skipped within one item.
private final class SkippedReasons: Sendable {
    private let reasons = Mutex<[String]>([])

    func append(_ reason: String) {
        reasons.withLock { $0.append(reason) }
    }

    func consume() -> [String] {
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
    /// Descriptions of members whose mapped places exist in no item.
    package var unmatched: [String] = []
    /// Descriptions of optional members that were kept as they came, since they have another form.
    package var unconverted: [String] = []
    /// Descriptions of ids that are in no list beside the items.
    package var danglingIDs: [String] = []
    /// The number of items that the mapping leaves out on purpose.
    package var leftOut = 0
    /// The time in which the document gives these products; nil if it always does.
    package var validity: Range<Date>?
    /// Whether no item meets the conditions.
    package var isAllLeftOut: Bool { leftOut > 0 && array.count == 0 && skipped.isEmpty }
    /// The published members that look internal, by their names.
    package var internalMembers: [String] = []
    /// The path of the price in an item, for messages; nil where items have Larder's own form.
    package var pricePlace: String?
    /// The number of items where several make one product; nil where each makes one, is skipped or left out.
    package var groupedItems: Int?
    /// The number of items.
    package var itemCount: Int { groupedItems ?? array.count + skipped.count + leftOut }
    /// The total that a document states where it has fewer items, with their number; nil where it has all.
    package var missingItems: String?
    /// The texts of the products, if all were made from one document.
    var texts: [KnownProducts.Text] = []
    /// The difference from the products that were known; nil without any.
    private(set) var changes: ProductChanges?
    /// The products that were known.
    let earlier: Catalogue?

    /// - Parameter size: about how many bytes the products have.
    package init(about size: Int = 0, after known: KnownProducts? = nil) {
        array = EncodedArray(capacity: size + size / 8, count: known?.catalogue.count ?? 0)
        changes = known.map { ProductChanges(revision: $0.revision) }
        earlier = known?.catalogue
        texts.reserveCapacity(earlier?.count ?? 0)
    }

    /// The products, in the order of the document.
    package var products: EncodedProducts { EncodedProducts(array) }

    mutating func append<Result>(_ write: (inout [UInt8]) throws -> Result?) rethrows -> Result? {
        try array.append(write)
    }

    /// Records the text of the product that was appended last, which was not recognised.
    mutating func record(_ text: KnownProducts.Text) {
        texts.append(text)
        changes?.positions.append(array.count - 1)
    }

    /// Closes the array; nothing can be appended any more.
    package mutating func close() {
        array.close()
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
