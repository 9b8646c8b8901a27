internal import Decoding
internal import JSON
package import Products

/// Finds products by the values of one declared key.
package struct KeyIndex: Sendable {
    /// A product found by a key.
    package struct Match: Sendable, Hashable {
        package let position: Int
        /// The index of the variant that has the key; nil if the product itself has it.
        package let variant: Int?
    }

    /// Values that several products have, or several variants of one. A product may have the value of a variant, as
    /// products with one variant often do.
    package struct Duplicates: Sendable, Hashable {
        package fileprivate(set) var count = 0
        package fileprivate(set) var first: Duplicate?
    }

    /// A value, and two products with it, or two variants of one product.
    package struct Duplicate: Sendable, Hashable {
        package let value: String
        package let holders: [Match]
    }

    private struct Entry {
        let position: Int32
        /// The first variant with the value; -1 without one.
        var variant: Int32
        /// Whether the product itself has it.
        var isOfProduct: Bool
        /// The content of the value in the encoding.
        var start: UInt32
        let count: UInt32
    }

    private let encoded: [UInt8]
    /// The values whose compared form is not in the encoding. Their offsets count on from its end.
    private var others: [UInt8] = []
    private var entries: [Entry] = []
    /// A hash table of the entries, each as the hash of its value and its number plus one; zero for an empty place. The
    /// hash tells most other values apart without a look at the encoding.
    private var places: [UInt64]
    /// The hash of no bytes, seeded anew for each index, so that an upstream cannot choose values that collide.
    private let empty = WordHash()
    package private(set) var duplicates = Duplicates()

    /// Indexes all products by one key.
    package init(_ key: FindableMembers.Key, of catalogue: Catalogue) {
        self.init(of: catalogue)
        let scan = MemberScan([key.paths])
        for (position, range) in catalogue.ranges.enumerated() {
            scan.scan(encoded, range) { bytes, found in append(bytes, found, at: position) }
        }
    }

    /// Creates an index without values.
    init(of catalogue: Catalogue) {
        encoded = catalogue.encoded
        var size = 16
        while size < catalogue.count * 2 { size *= 2 }
        places = Array(repeating: 0, count: size)
    }

    var isEmpty: Bool { entries.isEmpty }

    package var byteCount: Int {
        entries.count * MemoryLayout<Entry>.stride + places.count * MemoryLayout<UInt64>.stride + others.count
    }

    /// The product with a value; the first in the order of the catalogue if there are several.
    package func match(_ value: String) -> Match? {
        var text: [UInt8] = []
        JSONWriter.append(value, to: &text)
        let wanted = text[...].dropFirst().dropLast()
        guard let number = search(hash(wanted), wanted).number else { return nil }
        let entry = entries[number]
        return Match(position: Int(entry.position), variant: entry.isOfProduct ? nil : Int(entry.variant))
    }

    /// Adds a value of the product at a position, which is not before the position of the value added last.
    mutating func append(_ bytes: [UInt8], _ found: MemberScan.Found, at position: Int) {
        let isText = bytes[found.range.lowerBound] == UInt8(ascii: "\"")
        let content = isText ? found.range.dropFirst().dropLast() : found.range
        guard !content.isEmpty else { return }
        var entry = Entry(
            position: Int32(position), variant: found.variant, isOfProduct: found.variant < 0,
            start: UInt32(content.lowerBound), count: UInt32(content.count))
        let value = bytes[content]
        let hash = hash(value)
        let (place, number) = search(hash, value)
        if let number { return record(entry, value, beside: number) }
        if found.isCopied {
            entry.start = UInt32(encoded.count + others.count)
            others += value
        }
        entries.append(entry)
        places[place] = UInt64(hash) << 32 | UInt64(entries.count)
        if entries.count * 2 > places.count { grow() }
    }

    /// The place of a value, with the number of its entry; the next empty place for a value without one.
    private func search(_ hash: UInt32, _ value: ArraySlice<UInt8>) -> (place: Int, number: Int?) {
        var place = Int(hash) & (places.count - 1)
        while places[place] != 0 {
            let number = Int(places[place] & 0xffff_ffff) - 1
            if places[place] >> 32 == UInt64(hash), content(of: entries[number]) == value { return (place, number) }
            place = (place + 1) & (places.count - 1)
        }
        return (place, nil)
    }

    /// Records a value that another entry has.
    private mutating func record(_ entry: Entry, _ value: ArraySlice<UInt8>, beside number: Int) {
        let known = entries[number]
        guard known.position == entry.position else {
            return add([known, entry].map { Match(position: Int($0.position), variant: nil) }, with: value)
        }
        if entry.isOfProduct {
            entries[number].isOfProduct = true
        } else if known.variant < 0 {
            entries[number].variant = entry.variant
        } else if known.variant != entry.variant {
            add([known, entry].map { Match(position: Int($0.position), variant: Int($0.variant)) }, with: value)
        }
    }

    private mutating func add(_ holders: [Match], with value: ArraySlice<UInt8>) {
        duplicates.count += 1
        duplicates.first =
            duplicates.first ?? Duplicate(value: String(decoding: value, as: UTF8.self), holders: holders)
    }

    private mutating func grow() {
        let known = places.filter { $0 != 0 }
        places = Array(repeating: 0, count: places.count * 2)
        for entry in known {
            var place = Int(entry >> 32) & (places.count - 1)
            while places[place] != 0 { place = (place + 1) & (places.count - 1) }
            places[place] = entry
        }
    }

    private func content(of entry: Entry) -> ArraySlice<UInt8> {
        let (start, count) = (Int(entry.start), Int(entry.count))
        return start < encoded.count
            ? encoded[start..<start + count] : others[start - encoded.count..<start - encoded.count + count]
    }

    private func hash(_ value: ArraySlice<UInt8>) -> UInt32 {
        var hash = empty
        for byte in value { hash.append(byte) }
        return UInt32(truncatingIfNeeded: hash.value)
    }
}

extension KeyIndex.Match {
    /// Finds the names of variants, the best first.
    private static let variantNames = MemberScan(
        SoldVariants.names.map { [ItemPath("\(SoldVariants.name).*.\($0)")].compactMap(\.self) })

    /// The id or SKU of the variant; nil for the product itself, and for a variant without both.
    package func variantName(in catalogue: Catalogue) -> String? {
        guard let variant else { return nil }
        let product = catalogue.text(at: position)
        var names: [Int: String] = [:]
        Self.variantNames.scan(product.encoded, product.range) { bytes, found in
            guard found.variant == Int32(variant), names[found.member] == nil else { return }
            let text = (try? JSONParser().parse(bytes, in: found.range))?.scalarText
            if let text, !text.isEmpty { names[found.member] = text }
        }
        return names.min { $0.key < $1.key }?.value
    }

    /// The id of the product, with the name or the index of the variant: `mug`, `mug > red`.
    package func name(in catalogue: Catalogue) -> String {
        let id = catalogue.text(at: position).id
        return variant.map { "\(id) > \(variantName(in: catalogue) ?? "[\($0)]")" } ?? id
    }
}
