internal import Hashing

/// The products of an earlier text, recognised in a later one by the bytes of their source.
///
/// A product whose text has not changed is copied from the earlier encoding without decoding. Texts are compared by a
/// 64-bit hash with a seed of the process, which an upstream cannot predict.
package struct KnownProducts: Sendable {
    /// The text that a product was made from.
    struct Text: Sendable, Equatable {
        /// No text, for a product that must not be recognised.
        static let none = Text(count: 0, hash: 0)

        let count: UInt32
        let hash: UInt64

        fileprivate init(count: UInt32, hash: UInt64) {
            (self.count, self.hash) = (count, hash)
        }

        /// The text at a range.
        @inline(__always)
        init(_ text: Span<UInt8>, _ range: Range<Int>) {
            (count, hash) = (UInt32(clamping: range.count), KeyedHash.of(text, range))
        }
    }

    let catalogue: Catalogue
    private let texts: [Text]

    /// - Parameter decoded: the products that the catalogue was made from. Returns nil if they cannot be recognised.
    package init?(_ catalogue: Catalogue, from decoded: DecodedProducts) {
        guard decoded.texts.count == catalogue.count else { return nil }
        (self.catalogue, texts) = (catalogue, decoded.texts)
    }

    /// The revision that the products are from.
    package var revision: String { catalogue.revision }

    /// A walk through a later text.
    struct Walk {
        private let known: KnownProducts
        /// The position of the product that is expected next: most texts keep their order.
        private var expected = 0
        /// The number of products in a row that were not recognised.
        private var misses = 0

        /// The most misses in a row for which the earlier order is looked up; beyond that the text is a different one.
        private static let missLimit = 1000
        init(_ known: KnownProducts) {
            self.known = known
        }

        /// Recognises the expected product at an offset of a text.
        mutating func next(at offset: Int, of text: Span<UInt8>) -> (range: Range<Int>, text: Text, end: Int)? {
            guard expected < known.texts.count else { return nil }
            let wanted = known.texts[expected]
            let end = offset + Int(wanted.count)
            guard wanted.count > 0, end <= text.count, text[end - 1] == UInt8(ascii: "}"),
                Text(text, offset..<end) == wanted
            else { return nil }
            misses = 0
            defer { expected += 1 }
            return (known.catalogue.ranges[expected], wanted, end)
        }

        /// Moves past a product that was not recognised, because it has changed or moved.
        /// - Parameter id: its id as a JSON string, without the quotes.
        mutating func pass(_ id: @autoclosure () -> ArraySlice<UInt8>) {
            misses += 1
            expected += 1
            guard (2...Self.missLimit).contains(misses) else { return }
            if let position = known.catalogue.position(ofEncodedID: id()) { expected = position + 1 }
        }

        /// The bytes of recognised products.
        var encoded: [UInt8] { known.catalogue.encoded }
    }
}

/// The products of a catalogue that an earlier one, from the same source, does not hold.
package struct ProductChanges: Sendable {
    /// The earlier revision.
    package let revision: String
    /// The positions of the products that were not recognised, mostly because they have changed or are new. All others
    /// are in both.
    package internal(set) var positions: [Int] = []
}
