internal import Concurrency
internal import Dispatch
internal import Hashing
internal import JSON
internal import PolymorphicCodable
internal import Text

/// A JSON array with one object for each product, and the place of each.
package struct EncodedArray: Sendable {
    /// The array, brackets included once it is closed.
    package private(set) var bytes: [UInt8] = []
    /// The range of each product, braces included, in `bytes`.
    package private(set) var ranges: ProductRanges
    /// The bytes of a document of products before the array.
    package static let documentHead = Array(#"{"products":"#.utf8)

    /// Makes an array to which objects are appended before it is closed.
    /// - Parameters:
    ///   - capacity: about how many bytes it will have.
    ///   - count: about how many products it will have.
    package init(capacity: Int = 0, count: Int = 0) {
        ranges = ProductRanges(capacity: count)
        bytes.reserveLargePages(capacity)
        bytes.append(UInt8(ascii: "["))
    }

    /// Makes an array within a document, which ``closeDocument()`` completes.
    package init(documentOf count: Int, capacity: Int = 0) {
        let head = Self.documentHead
        self.init(capacity: capacity + head.count + 32, count: count)
        bytes.insert(contentsOf: head, at: 0)
        ranges.offset += head.count
    }

    /// Takes over the array of objects at a range of a text, without white space as a canonical encoding is. Only the
    /// ends of the objects are found; their contents are not checked, except for the depth of nesting.
    /// - Returns: nil, with the text unchanged, if it is anything else, or has another count or SHA-256.
    init?(taking text: inout [UInt8], in range: Range<Int>, count: Int, digest: String) {
        guard let ranges = Self.ranges(of: text, in: range, count: count, digest: digest) else { return nil }
        self.ranges = ranges
        // In place, since allocating a copy costs as much as copying the bytes.
        text.removeSubrange(range.upperBound...)
        text.removeSubrange(..<range.lowerBound)
        swap(&bytes, &text)
    }

    /// Finds the objects while another thread computes the checksum, since both read all bytes.
    private static func ranges(
        of text: [UInt8], in range: Range<Int>, count: Int, digest: String
    ) -> ProductRanges? {
        let found = Mutex<(ranges: ProductRanges?, isWhole: Bool)>((nil, false))
        DispatchQueue.concurrentPerform(iterations: 2) { part in
            if part == 0 {
                let ranges = ProductRanges(in: text.span.extracting(range), count: count)
                found.withLock { $0.ranges = ranges }
            } else {
                let isWhole = SHA256Digest(of: text[range]).hexDigits == digest
                found.withLock { $0.isWhole = isWhole }
            }
        }
        return found.withLock { $0.isWhole ? $0.ranges : nil }
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

    /// Appends objects that stand one after the other in another array.
    /// - Parameter copy: appends the bytes at a range of it.
    mutating func append(
        _ positions: Range<Int>, of others: ProductRanges, by copy: (Range<Int>, inout [UInt8]) -> Void
    ) {
        guard let first = positions.first, let last = positions.last else { return }
        if ranges.count > 0 { bytes.append(UInt8(ascii: ",")) }
        let shift = bytes.count - others[first].lowerBound
        copy(others[first].lowerBound..<others[last].upperBound, &bytes)
        for position in positions { ranges.append(endingAt: others[position].upperBound + shift) }
    }

    package mutating func close() {
        bytes.append(UInt8(ascii: "]"))
    }

    /// Closes the array, and the document with the number of its products.
    package mutating func closeDocument() {
        close()
        bytes += ",\"total\":\(count)}".utf8
    }

    /// The id of the last object, as a JSON string without the quotes.
    var lastID: ArraySlice<UInt8> {
        ranges.last.map { bytes[ProductText.idRange(bytes, $0)] } ?? []
    }

    /// Whether an object has the kind and the id of an object of another array, byte by byte.
    func hasID(at position: Int, of other: EncodedArray, at place: Int) -> Bool {
        guard place < other.count else { return false }
        let (start, others) = (ranges[position].lowerBound, other.ranges[place])
        let head = start..<ProductText.idRange(bytes, ranges[position]).upperBound + 1
        guard head.count <= others.count else { return false }
        return bytes.span.hasSame(head, as: other.bytes.span, others.prefix(head.count))
    }

    /// Returns the closed array with other objects at some positions, which ascend. All other bytes are copied as they are.
    func replacing(_ replacements: [(position: Int, object: ArraySlice<UInt8>)]) -> EncodedArray {
        let growths = replacements.map { (position: $0.position, bytes: $0.object.count - ranges[$0.position].count) }
        var next = self
        next.bytes = []
        next.bytes.reserveLargePages(bytes.count + growths.reduce(0) { $0 + $1.bytes })
        var copied = 0
        for (position, object) in replacements {
            next.bytes += bytes[copied..<ranges[position].lowerBound]
            next.bytes += object
            copied = ranges[position].upperBound
        }
        next.bytes += bytes[copied...]
        next.ranges.grow(by: growths)
        return next
    }
}

/// The ranges of a catalogue's products in a JSON array, eight bytes each: one byte stands between two products.
package struct ProductRanges: Sendable, Hashable, RandomAccessCollection {
    private var ends: [Int] = []
    /// The number of bytes before the first product.
    fileprivate var offset = 1

    fileprivate init(capacity: Int) {
        ends.reserveCapacity(capacity)
    }

    /// Finds the objects of an array without white space; nil when it is none, or has another count.
    fileprivate init?(in array: Span<UInt8>, count: Int) {
        guard count > 0, count <= array.count / 3 else { return nil }
        self.init(capacity: count)
        var (end, last) = (0, array.count - 1)
        while end < last {
            guard array[end] == UInt8(ascii: end == 0 ? "[" : ","), array[end + 1] == UInt8(ascii: "{"),
                let next = JSONStringScan.endOfBrackets(array, from: end + 1, depthLimit: Catalogue.depthLimit),
                array[next - 1] == UInt8(ascii: "}")
            else { return nil }
            ends.append(next)
            end = next
        }
        guard end == last, array[last] == UInt8(ascii: "]"), ends.count == count else { return nil }
    }

    fileprivate mutating func append(endingAt end: Int) {
        ends.append(end)
    }

    /// Moves the ends of the objects at these positions, which ascend, and of all behind them.
    fileprivate mutating func grow(by growths: [(position: Int, bytes: Int)]) {
        var (shift, rest) = (0, growths[...])
        for position in (growths.first?.position ?? ends.count)..<ends.count {
            if let next = rest.first, next.position == position {
                shift += next.bytes
                rest.removeFirst()
            }
            ends[position] += shift
        }
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { ends.count }

    package subscript(position: Int) -> Range<Int> {
        (position == 0 ? offset : ends[position - 1] + 1)..<ends[position]
    }
}

/// The products of a canonical encoding. Each is made on every access, in some microseconds. If its bytes are not
/// canonical, it has the common members found in them.
package struct EncodedProducts: Sendable, RandomAccessCollection {
    private let array: EncodedArray

    init(_ array: EncodedArray) {
        self.array = array
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { array.count }

    package subscript(position: Int) -> any Product {
        let range = array.ranges[position]
        do {
            let value = try JSONParser(depthLimit: Catalogue.depthLimit).parse(array.bytes, in: range)
            let decoder = JSONValueDecoder(value, userInfo: [.unknownKinds: UnknownKinds(.keep) { _ in }])
            return try ProductKind.decodePolymorphic(from: decoder)
        } catch {
            return ProductText(array.bytes, range).remains
        }
    }
}
