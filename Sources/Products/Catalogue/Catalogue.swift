internal import Concurrency
internal import Glibc
internal import Hashing
internal import JSON
internal import PolymorphicCodable

/// The whole content of a catalogue, immutable and shared by reference.
///
/// It holds only the canonical encoding, because everything works on the bytes: the revision is their hash, the store
/// writes them unchanged, responses are cut from them, and products are made from them on demand.
public final class Catalogue: Sendable {
    /// Numbers the canonical form. It increases with every change of the bytes written for any product, such as a new
    /// kind or member. Bytes of another form have to be decoded again.
    package static let form = 1
    /// The deepest nesting of arrays and objects, in an upstream's text and in the targets of a mapping.
    package static let depthLimit = 1024
    /// The SHA-256 of `encoded`, as 64 hexadecimal digits.
    package let digest: String
    /// The content hash: the first 32 digits of `digest`. Equal for equal products, on every machine.
    package let revision: String
    /// Reports the release of this catalogue.
    package let lifetime = CatalogueLifetime()
    /// The difference from an earlier catalogue of the same source; nil if unknown.
    package let changes: ProductChanges?
    let array: EncodedArray
    /// The doubts about bytes that were taken over unread, here or by the catalogues that this one was made from.
    package let doubts: [CatalogueDoubt]
    /// Made on first use if the ids are known to differ.
    private let keptIDs = LazyReference<ProductIDs>()

    /// The number of products.
    package var count: Int { array.count }
    /// The products, in upstream order, each made on access.
    package var products: EncodedProducts { EncodedProducts(array) }
    /// The canonical encoding: a JSON array of the products, without white space.
    package var encoded: [UInt8] { array.bytes }
    /// The range of each product, braces included, in `encoded`.
    package var ranges: ProductRanges { array.ranges }

    /// Encodes products; takes some milliseconds for each thousand.
    /// - Throws: `refused(.duplicateID)` when two products have one id, and `malformed` when one cannot be written as
    ///   JSON, such as a price that is not a number.
    package convenience init(products: [any Product]) throws(ProductsFailure) {
        var array = EncodedArray(capacity: products.count * 256 + 2, count: products.count)
        for (position, product) in products.enumerated() {
            _ = try array.append { bytes throws(ProductsFailure) in try Self.append(product, at: position, to: &bytes) }
        }
        array.close()
        try self.init(array, doubts: [])
    }

    /// Reads the bytes of an earlier catalogue, for stores. Products of unknown kind are kept, since the catalogue held
    /// them.
    /// - Parameter range: the part of the bytes that is the array; all by default.
    /// - Throws: `malformed` when the bytes are no array of products, and `refused(.duplicateID)`.
    package convenience init(encoded: [UInt8], in range: Range<Int>? = nil) throws(ProductsFailure) {
        let decoder = NativeCatalogueDecoder(unknownKinds: .keep)
        let array = range ?? encoded.indices
        try self.init(decoder.decode(encoded, array: array, at: [], depthLimit: Self.depthLimit))
    }

    /// Takes over the bytes of an earlier catalogue, for stores, without checking its products, whose members are wrong
    /// unless they were encoded in the same ``form``. ``check()`` does it later.
    /// - Parameters:
    ///   - encoded: has the array at a range; empty afterwards.
    ///   - digest: the SHA-256 of the array.
    /// - Returns: nil, with the bytes unchanged, if they are not an array of this many objects with this digest.
    package convenience init?(trusting encoded: inout [UInt8], in range: Range<Int>, count: Int, digest: String) {
        guard let array = EncodedArray(taking: &encoded, in: range, count: count, digest: digest) else { return nil }
        self.init(array, digest: digest, doubts: [CatalogueDoubt()])
    }

    /// Whether bytes that were taken over unread have not been checked yet.
    package var isUnseen: Bool { doubts.contains { $0.state == .open } }
    /// Whether bytes that were taken over unread are damaged.
    package var isDamaged: Bool { doubts.contains(where: \.isConfirmed) }

    /// Records the result of checking bytes that were taken over unread.
    package func settle(isDamaged: Bool) {
        for doubt in doubts { doubt.settle(isConfirmed: isDamaged) }
    }

    /// Copies products of other catalogues, by their positions there.
    /// - Throws: `refused(.duplicateID)` when two products have one id.
    package convenience init(
        copying products: some Collection<(catalogue: Catalogue, position: Int)>
    ) throws(ProductsFailure) {
        var array = EncodedArray(count: products.count)
        var (last, doubts): (Catalogue?, [CatalogueDoubt]) = (nil, [])
        for (catalogue, position) in products {
            if catalogue !== last { doubts.add(catalogue.doubts) }
            last = catalogue
            _ = array.append { $0.append(catalogue.encoded.span, catalogue.ranges[position]) as Void? }
        }
        array.close()
        try self.init(array, doubts: doubts)
    }

    /// Shares the contents of another catalogue, but not its lifetime, for data derived from it. May take milliseconds,
    /// so that look-ups of products do not.
    package convenience init(sharing other: Catalogue) {
        self.init(other.array, digest: other.digest, changes: other.changes, doubts: other.doubts)
        _ = keptIDs.keep(other.ids)
    }

    /// Takes over the products of a document.
    /// - Throws: `refused(.duplicateID)` when two products have one id.
    package convenience init(_ decoded: DecodedProducts) throws(ProductsFailure) {
        let ids = decoded.earlier?.ids(ifSameIn: decoded.array)
        try self.init(decoded.array, ids: ids, changes: decoded.changes, doubts: [])
    }

    /// - Parameters:
    ///   - ids: the ids of another catalogue that has the same ids at the same positions; nil without one.
    ///   - doubts: the doubts of the catalogues that the products were copied from.
    convenience init(
        _ array: EncodedArray, ids: ProductIDs? = nil, changes: ProductChanges? = nil, doubts: [CatalogueDoubt]
    ) throws(ProductsFailure) {
        let ids = ids ?? ProductIDs(array)
        try ids.check(array)
        self.init(array, digest: SHA256Digest(of: array.bytes).hexDigits, changes: changes, doubts: doubts)
        _ = keptIDs.keep(ids)
    }

    private init(
        _ array: EncodedArray, digest: String, changes: ProductChanges? = nil, doubts: [CatalogueDoubt] = []
    ) {
        (self.array, self.digest, self.changes, self.doubts) = (array, digest, changes, doubts)
        revision = String(digest.prefix(32))
    }

    deinit {
        lifetime.end()
    }

    /// The index in `products` of the product with this id.
    package func position(ofID id: String) -> Int? {
        var text: [UInt8] = []
        JSONWriter.append(id, to: &text)
        return position(ofEncodedID: text.dropFirst().dropLast())
    }

    /// The index in `products` of the product with an id.
    /// - Parameter id: the id as a JSON string, without the quotes.
    func position(ofEncodedID id: ArraySlice<UInt8>) -> Int? {
        keptIDs.withValue { $0.position(of: id, in: array) } ?? ids.position(of: id, in: array)
    }

    /// The id of a product as a JSON string, without the quotes.
    func encodedID(at position: Int) -> ArraySlice<UInt8> {
        array.bytes[ProductText.idRange(array.bytes, array.ranges[position])]
    }

    /// The ids, if each product of another array has the kind and the id of the one here.
    private func ids(ifSameIn other: EncodedArray) -> ProductIDs? {
        guard other.count == count, ids.duplicate == nil,
            (0..<count).allSatisfy({ other.hasID(at: $0, of: array, at: $0) })
        else { return nil }
        return ids
    }

    var ids: ProductIDs { keptIDs.value ?? keptIDs.keep(ProductIDs(array)) }

    /// The members of a product that can be read without making it.
    package func text(at position: Int) -> ProductText {
        ProductText(array.bytes, array.ranges[position])
    }

    /// A hash of the bytes of a product, with a seed of the process; never zero.
    package func hash(at position: Int) -> UInt64 {
        let bytes = array.bytes
        return max(1, KeyedHash.of(bytes.span, array.ranges[position]))
    }

    /// The text of a string or number that a product has as a member; nil for anything else, and for an empty string.
    package func key(_ member: String, at position: Int) -> String? {
        var reader = CanonicalReader(array.bytes, in: array.ranges[position])
        while let (name, value) = reader.nextMember() {
            guard array.bytes[name].elementsEqual(member.utf8) else { continue }
            let bytes = array.bytes[value]
            switch bytes.first ?? 0 {
            case UInt8(ascii: "\""):
                return bytes.count > 2 ? String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self) : nil
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return String(decoding: bytes, as: UTF8.self)
            default: return nil
            }
        }
        return nil
    }

    /// The products' members, in upstream order.
    package var texts: some Collection<ProductText> {
        array.ranges.lazy.map { [array] in ProductText(array.bytes, $0) }
    }

    /// Whether a product has several categories, or an object as its category, which earlier versions refuse. It is also true if
    /// only an attribute has such a member.
    package var hasStructuredCategories: Bool {
        let name = Array("\"\(ProductMember.category)\":".utf8)
        return ["[", "{"].contains { encoded.holds(name, before: UInt8(ascii: $0)) }
    }

    private static func append(
        _ product: any Product, at position: Int, to bytes: inout [UInt8]
    ) throws(ProductsFailure) -> Void? {
        do {
            return try JSONByteEncoder.append(product, to: &bytes)
        } catch {
            let reason = (error as? EncodingError)?.jsonSummary ?? "\(error)"
            throw .malformed(detail: "product [\(position)] cannot be written: \(reason)")
        }
    }
}

extension [UInt8] {
    /// Whether a bracket, or a colon, stands behind a text.
    func holds(_ text: [UInt8], before bracket: UInt8) -> Bool {
        let bytes = span
        var at = 0
        while let next = bytes.position(of: bracket, from: at) {
            if next >= text.count, text.indices.allSatisfy({ bytes[next - text.count + $0] == text[$0] }) {
                return true
            }
            at = next + 1
        }
        return false
    }
}

extension Span<UInt8> {
    fileprivate func position(of byte: UInt8, from start: Int) -> Int? {
        unsafe withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress,
                let found = unsafe memchr(base + start, Int32(byte), bytes.count - start)
            else { return nil }
            return unsafe base.distance(to: UnsafeRawPointer(found))
        }
    }
}
