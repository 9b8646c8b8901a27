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

    /// Values that several products have.
    package struct Duplicates: Sendable, Hashable {
        package fileprivate(set) var count = 0
        package fileprivate(set) var first: Duplicate?
    }

    /// A value, and the positions of two products with it.
    package struct Duplicate: Sendable, Hashable {
        package let value: String
        package let positions: [Int]
    }

    private struct Entry {
        let position: Int32
        let variant: Int32
        /// The content of the value in the encoding.
        let start: UInt32
        let count: UInt32
    }

    private let encoded: [UInt8]
    /// The values that stand in the encoding as they are compared, and behind it those that do not.
    private var others: [UInt8] = []
    private var entries: [Entry] = []
    /// A hash table of the entries' numbers, each plus one; zero for an empty place. The hash is seeded anew in each process.
    private var places: [UInt32]
    package private(set) var duplicates = Duplicates()

    /// Indexes all products.
    package init(_ key: FindableMembers.Key, of catalogue: Catalogue) {
        encoded = catalogue.encoded
        var size = 16
        while size < catalogue.count * 2 { size *= 2 }
        places = Array(repeating: 0, count: size)
        let scan = MemberScan([key.paths])
        for (position, range) in catalogue.ranges.enumerated() {
            scan.scan(encoded, range) { found in append(found, at: position) }
        }
    }

    var isEmpty: Bool { entries.isEmpty }

    package var byteCount: Int {
        entries.count * MemoryLayout<Entry>.stride + places.count * MemoryLayout<UInt32>.stride + others.count
    }

    /// The product with a value; the first in the order of the catalogue if there are several.
    package func match(_ value: String) -> Match? {
        var text: [UInt8] = []
        JSONWriter.append(value, to: &text)
        let wanted = text[...].dropFirst().dropLast()
        var place = Self.hash(wanted) & (places.count - 1)
        while places[place] != 0 {
            let entry = entries[Int(places[place] - 1)]
            if content(of: entry) == wanted {
                return Match(position: Int(entry.position), variant: entry.variant < 0 ? nil : Int(entry.variant))
            }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    private mutating func append(_ found: MemberScan.Found, at position: Int) {
        let isText = found.bytes[found.range.lowerBound] == UInt8(ascii: "\"")
        let content = isText ? found.range.dropFirst().dropLast() : found.range
        guard !content.isEmpty else { return }
        var start = content.lowerBound
        if found.isCopied {
            start = encoded.count + others.count
            others += found.bytes[content]
        }
        let entry = Entry(
            position: Int32(position), variant: found.variant, start: UInt32(start), count: UInt32(content.count))
        let value = found.bytes[content]
        var place = Self.hash(value) & (places.count - 1)
        while places[place] != 0 {
            let known = entries[Int(places[place] - 1)]
            if self.content(of: known) == value {
                if known.position != entry.position {
                    duplicates.count += 1
                    duplicates.first =
                        duplicates.first
                        ?? Duplicate(
                            value: String(decoding: value, as: UTF8.self), positions: [Int(known.position), position])
                }
                return
            }
            place = (place + 1) & (places.count - 1)
        }
        entries.append(entry)
        places[place] = UInt32(entries.count)
        if entries.count * 2 > places.count { grow() }
    }

    private mutating func grow() {
        places = Array(repeating: 0, count: places.count * 2)
        for (number, entry) in entries.enumerated() {
            var place = Self.hash(content(of: entry)) & (places.count - 1)
            while places[place] != 0 { place = (place + 1) & (places.count - 1) }
            places[place] = UInt32(number + 1)
        }
    }

    private func content(of entry: Entry) -> ArraySlice<UInt8> {
        let (start, count) = (Int(entry.start), Int(entry.count))
        return start < encoded.count
            ? encoded[start..<start + count] : others[start - encoded.count..<start - encoded.count + count]
    }

    private static func hash(_ value: ArraySlice<UInt8>) -> Int {
        var hasher = Hasher()
        unsafe value.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
