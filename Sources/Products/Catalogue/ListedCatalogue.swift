/// The JSON array of a catalogue's products in which each product tells whether it is popular.
///
/// Made by inserting one member into each product's bytes, so what the catalogue kept to the digit stays so, and
/// nothing is encoded twice.
public struct ListedCatalogue: Sendable {
    /// The array, brackets included.
    public let bytes: [UInt8]
    /// Where each product, braces included, stands in `bytes`; in the order of the catalogue.
    public let ranges: [Range<Int>]

    /// The listing of a catalogue by a rule.
    public init(_ catalogue: Catalogue, popularity: PopularityRule) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(catalogue.encoded.count + catalogue.products.count * Self.popular.count + 2)
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(catalogue.products.count)
        bytes.append(UInt8(ascii: "["))
        for (product, range) in zip(catalogue.products, catalogue.ranges) {
            if !ranges.isEmpty { bytes.append(UInt8(ascii: ",")) }
            let start = bytes.count
            bytes.append(contentsOf: catalogue.encoded[range.dropLast()])
            bytes.append(contentsOf: popularity.isPopular(product) ? Self.popular : Self.unpopular)
            ranges.append(start..<bytes.count)
        }
        bytes.append(UInt8(ascii: "]"))
        self.bytes = bytes
        self.ranges = ranges
    }

    private static let popular = Array(#","\#(ProductMember.isPopular)":true}"#.utf8)
    private static let unpopular = Array(#","\#(ProductMember.isPopular)":false}"#.utf8)
}
