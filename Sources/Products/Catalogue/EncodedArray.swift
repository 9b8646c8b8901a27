internal import JSON
internal import PolymorphicCodable

/// A JSON array with one object for each product, and the place of each.
package struct EncodedArray: Sendable {
    /// The array, brackets included once it is closed.
    package private(set) var bytes: [UInt8] = []
    /// The range of each product, braces included, in `bytes`.
    package private(set) var ranges: ProductRanges

    /// Makes an array to which objects are appended before it is closed.
    /// - Parameters:
    ///   - capacity: about how many bytes it will have.
    ///   - count: about how many products it will have.
    package init(capacity: Int = 0, count: Int = 0) {
        ranges = ProductRanges(capacity: count)
        bytes.reserveCapacity(capacity)
        bytes.append(UInt8(ascii: "["))
    }

    package var count: Int { ranges.count }

    /// Appends one object, which the body writes; nothing when the body returns nil or throws.
    @inline(__always)
    package mutating func append<Result, Failure: Error>(
        _ write: (inout [UInt8]) throws(Failure) -> Result?
    ) throws(Failure) -> Result? {
        var end = bytes.count
        defer { bytes.removeLast(bytes.count - end) }
        if ranges.count > 0 { bytes.append(UInt8(ascii: ",")) }
        guard let result = try write(&bytes) else { return nil }
        end = bytes.count
        ranges.append(endingAt: end)
        return result
    }

    package mutating func close() {
        bytes.append(UInt8(ascii: "]"))
    }
}

/// The ranges of a catalogue's products in a JSON array, eight bytes each: one byte stands between two products.
package struct ProductRanges: Sendable, Hashable, RandomAccessCollection {
    private var ends: [Int] = []
    /// The number of bytes before the first product.
    private var offset = 1

    fileprivate init(capacity: Int) {
        ends.reserveCapacity(capacity)
    }

    fileprivate mutating func append(endingAt end: Int) {
        ends.append(end)
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { ends.count }

    package subscript(position: Int) -> Range<Int> {
        let start = position == 0 ? 1 : ends[position - 1] + 1
        return (start + offset - 1)..<(ends[position] + offset - 1)
    }

    /// The ranges where so many bytes stand before the array.
    package func behind(_ count: Int) -> ProductRanges {
        var ranges = self
        ranges.offset += count
        return ranges
    }
}

/// The products of a canonical encoding. Each is made whenever it is asked for, in some microseconds.
package struct EncodedProducts: Sendable, RandomAccessCollection {
    private let array: EncodedArray

    init(_ array: EncodedArray) {
        self.array = array
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { array.count }

    package subscript(position: Int) -> any Product {
        do {
            // A mapping may have put values deeper than they were in the upstream's text, whose depth was checked.
            let value = try JSONParser(depthLimit: .max).parse(array.bytes, in: array.ranges[position])
            let decoder = JSONValueDecoder(value, userInfo: [.unknownKinds: UnknownKinds(.keep) { _ in }])
            return try ProductKind.decodePolymorphic(from: decoder)
        } catch {
            preconditionFailure("a canonical encoding holds products: \(error)")
        }
    }
}
