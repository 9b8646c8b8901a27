internal import Hashing
internal import JSON
internal import PolymorphicCodable

/// The whole content of a catalogue, immutable and shared by reference.
///
/// It is encoded once, when it is made, because everything else works on the bytes: the revision is their hash, the
/// store writes them unchanged, and responses are cut from them.
public final class Catalogue: Sendable {
    /// The products, in upstream order.
    package let products: [any Product]
    /// The canonical encoding: a JSON array of the products, without white space.
    package let encoded: [UInt8]
    /// The range of each product, braces included, in `encoded`.
    package let ranges: [Range<Int>]
    /// The SHA-256 of `encoded`, as 64 hexadecimal digits.
    package let digest: String
    /// The content hash: the first 32 digits of `digest`. Equal for equal products, on every machine.
    package let revision: String
    /// Reports the release of this catalogue.
    package let lifetime = CatalogueLifetime()
    private let positions: [String: Int]

    /// Encodes products; takes some milliseconds for each thousand.
    /// - Throws: `refused(.duplicateID)` when two products have one id, and `malformed` when one cannot be written as
    ///   JSON, such as a price that is not a number.
    package convenience init(products: [any Product]) throws(ProductsFailure) {
        let array = try EncodedArray(products, capacity: products.count * 256 + 2) {
            position, product, bytes throws(ProductsFailure) in
            do {
                try JSONByteEncoder.append(product, to: &bytes)
            } catch {
                let reason = (error as? EncodingError)?.jsonSummary ?? "\(error)"
                throw .malformed(detail: "product [\(position)] cannot be written: \(reason)")
            }
        }
        try self.init(products: products, encoded: array.bytes, ranges: array.ranges)
    }

    /// Decodes the bytes of an earlier catalogue, for stores. They are not encoded again, so that the digest can be
    /// compared with the stored one. Products of unknown kind are kept, since the catalogue held them.
    /// - Throws: `malformed` when the bytes are no array of products, and `refused(.duplicateID)`.
    package convenience init(encoded: [UInt8]) throws(ProductsFailure) {
        var items = ItemDecoding(unknownKinds: .keep)
        var ranges: [Range<Int>] = []
        do {
            try JSONParser().forEachElement(of: encoded, in: encoded.indices) { element, range in
                try items.append(element, in: [])
                ranges.append(range)
            }
        } catch {
            throw ProductsFailure(decoding: error)
        }
        try self.init(products: items.decoded.products, encoded: encoded, ranges: ranges)
    }

    /// Shares the contents of another catalogue, but not its lifetime, for data derived from it.
    package init(sharing other: Catalogue) {
        (products, encoded, ranges) = (other.products, other.encoded, other.ranges)
        (digest, revision, positions) = (other.digest, other.revision, other.positions)
    }

    private init(products: [any Product], encoded: [UInt8], ranges: [Range<Int>]) throws(ProductsFailure) {
        positions = try Self.positions(of: products)
        self.products = products
        self.encoded = encoded
        self.ranges = ranges
        digest = SHA256Digest(of: encoded).hexDigits
        revision = String(digest.prefix(32))
    }

    deinit {
        lifetime.end()
    }

    /// The index in `products` of the product with this id.
    package func position(ofID id: String) -> Int? {
        positions[id]
    }

    package func product(withID id: String) -> (any Product)? {
        positions[id].map { products[$0] }
    }

    private static func positions(of products: [any Product]) throws(ProductsFailure) -> [String: Int] {
        var positions: [String: Int] = [:]
        positions.reserveCapacity(products.count)
        for (position, product) in products.enumerated() {
            if let first = positions.updateValue(position, forKey: product.id) {
                throw .refused(.duplicateID(product.id, first: first, second: position))
            }
        }
        return positions
    }
}

/// A JSON array with one object for each product, and the range of each.
struct EncodedArray {
    private(set) var bytes: [UInt8] = []
    private(set) var ranges: [Range<Int>] = []

    @inline(__always)
    init<Failure: Error>(
        _ products: [any Product], capacity: Int = 0,
        appendObject: (Int, any Product, inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        bytes.reserveCapacity(capacity)
        ranges.reserveCapacity(products.count)
        bytes.append(UInt8(ascii: "["))
        for (position, product) in products.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            let start = bytes.count
            try appendObject(position, product, &bytes)
            ranges.append(start..<bytes.count)
        }
        bytes.append(UInt8(ascii: "]"))
    }
}
