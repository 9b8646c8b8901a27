internal import Hashing

/// Finds the positions of a catalogue's products by their ids, in eight bytes for each place of a hash table.
///
/// Ids are compared as `String` does, so that composed and decomposed accents are equal, but by their encoding if that
/// has the same result. The hash is seeded anew in each process, so that an upstream cannot choose ids that collide.
final class ProductIDs: Sendable {
    /// A part of the hash above, and the position plus one below; zero for an empty place.
    private let places: [UInt64]
    /// The positions of a repeated id; nil if all ids differ. A lookup finds the first.
    let duplicate: (first: Int, second: Int)?

    /// Finds the ids of all products.
    init(_ array: EncodedArray) {
        var size = 16
        while size < array.count * 2 { size *= 2 }
        var (places, duplicate) = ([UInt64](repeating: 0, count: size), (first: Int, second: Int)?.none)
        products: for (position, range) in array.ranges.enumerated() {
            let id = ProductText.idRange(array.bytes, range)
            let hash = Self.hash(array.bytes[id])
            var place = Int(truncatingIfNeeded: hash) & (size - 1)
            while places[place] != 0 {
                if let first = Self.matching(places[place], hash, array.bytes[id], array) {
                    duplicate = duplicate ?? (first, position)
                    continue products
                }
                place = (place + 1) & (size - 1)
            }
            places[place] = hash & Self.tag | UInt64(position + 1)
        }
        (self.places, self.duplicate) = (places, duplicate)
    }

    /// - Throws: `refused(.duplicateID)` when two products have one id.
    func check(_ array: EncodedArray) throws(ProductsFailure) {
        guard let (first, second) = duplicate else { return }
        let id = ProductText(array.bytes, array.ranges[second]).id
        throw .refused(.duplicateID(id, first: first, second: second))
    }

    /// The position of the product with an id.
    /// - Parameter encodedID: the id as a JSON string, without the quotes.
    func position(of encodedID: ArraySlice<UInt8>, in array: EncodedArray) -> Int? {
        let hash = Self.hash(encodedID)
        var place = Int(truncatingIfNeeded: hash) & (places.count - 1)
        while places[place] != 0 {
            if let position = Self.matching(places[place], hash, encodedID, array) { return position }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    private static let tag: UInt64 = 0xFFFF_FFFF_0000_0000

    @inline(__always)
    private static func matching(
        _ found: UInt64, _ hash: UInt64, _ id: ArraySlice<UInt8>, _ array: EncodedArray
    ) -> Int? {
        guard found & tag == hash & tag else { return nil }
        let position = Int(found & ~tag) - 1
        let other = array.bytes[ProductText.idRange(array.bytes, array.ranges[position])]
        return other == id || text(other).map { $0 == text(id) } ?? false ? position : nil
    }

    /// The text of an id that may have other encodings; nil for most ASCII ids. The Kelvin sign and two other letters
    /// are equal to ASCII letters.
    private static func text(_ id: ArraySlice<UInt8>) -> String? {
        id.contains { $0 >= 0x80 || $0 == UInt8(ascii: "K") || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "`") }
            ? String(decoding: id, as: UTF8.self) : nil
    }

    @inline(__always)
    private static func hash(_ id: ArraySlice<UInt8>) -> UInt64 {
        guard let text = text(id) else { return KeyedHash.of(id.span, 0..<id.count) }
        var hasher = Hasher()
        hasher.combine(text)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

extension Catalogue {
    /// Whether it has the ids of another catalogue at the same positions, as far as that is known.
    func hasIDs(of other: Catalogue) -> Bool { ids === other.ids }

    /// The id of a product, without looking at its other members.
    package func id(at position: Int) -> String {
        let id = encodedID(at: position)
        return id.contains(UInt8(ascii: "\\")) ? text(at: position).id : String(decoding: id, as: UTF8.self)
    }
}

/// Finds the entries of a catalogue's products, by their ids or by another key.
struct EntryMatches {
    private let entries: Catalogue?
    private let base: Catalogue
    /// The positions of entries by the value of the key; nil if ids are the key, or where several entries share a value.
    private var byKey: [String: Int?]?
    private let key: MemberOverlay.Key
    /// The number of entries that share their key with others.
    private(set) var ambiguous = 0

    /// - Parameter entries: nil if none are known.
    init(_ entries: Catalogue?, over base: Catalogue, by key: MemberOverlay.Key) {
        (self.entries, self.base, self.key) = (entries, base, key)
        guard key != .id, let entries else { return }
        var (byKey, shared) = ([String: Int?](minimumCapacity: entries.count), Set<String>())
        for position in 0..<entries.count {
            guard let value = entries.key(key.entry, at: position) else { continue }
            let isRepeated = byKey.updateValue(position, forKey: value) != nil
            if isRepeated {
                byKey[value] = .some(nil)
                ambiguous += shared.insert(value).inserted ? 2 : 1
            }
        }
        self.byKey = byKey
    }

    /// The position of the entry of a product; nil without one.
    func entry(of position: Int) -> Int? {
        guard let byKey else { return entries?.position(ofEncodedID: base.encodedID(at: position)) }
        return base.key(key.product, at: position).flatMap { byKey[$0] ?? nil }
    }

    /// The positions of products that may have an entry, in order.
    /// - Parameter earlier: other entries; then only the products whose entry may be another one now.
    func positions(after earlier: Catalogue? = nil) -> [Int] {
        guard byKey == nil, let entries else { return Array(0..<base.count) }
        var positions: Set<Int> = []
        func add(_ places: some Sequence<Int>, of catalogue: Catalogue) {
            // Of entries that were taken over unread several may have one id.
            positions.formUnion(places.compactMap { base.position(ofEncodedID: catalogue.encodedID(at: $0)) })
        }
        if let earlier {
            let difference = CatalogueDifference(from: earlier, to: entries)
            add(difference.added + difference.changed.map(\.after), of: entries)
            add(difference.removed, of: earlier)
        } else {
            add(0..<entries.count, of: entries)
        }
        return positions.sorted()
    }
}
