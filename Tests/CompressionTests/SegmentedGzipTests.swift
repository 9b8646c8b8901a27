import Compression
import Testing
import TestSupport

struct SegmentedGzipTests {
    /// A text of items, and the places of these.
    private static func text(_ items: [String]) -> (bytes: [UInt8], starts: [Int]) {
        var (bytes, starts): ([UInt8], [Int]) = (Array("[".utf8), [])
        for item in items {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            starts.append(bytes.count)
            bytes += item.utf8
        }
        return (bytes + "]".utf8, starts)
    }

    private static func item(_ number: Int, _ price: Int = 1) -> String {
        #"{"type":"physical","id":"p-\#(number)","name":"Preserve of lot \#(number)","price":\#(price),"#
            + #""description":"Ripe in week \#(number % 52), with \#(number &* 2_654_435_761 % 1000) grams of sugar."}"#
    }

    private static func packed(_ items: [String], after earlier: SegmentedGzip? = nil) throws -> SegmentedGzip {
        let (bytes, starts) = text(items)
        let result = SegmentedGzip(bytes.span, itemsAt: starts, after: earlier)
        let packed = try #require(result)
        #expect(Gzip.unpacked(packed.bytes, limit: bytes.count + 1) == bytes)
        return packed
    }

    @Test(arguments: 0..<12)
    func `a text packed after another one has the bytes that it has alone`(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        var items = (0..<12_000).map { Self.item($0) }
        var earlier = try Self.packed(items)
        for _ in 0..<6 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                items[Int.random(in: items.indices, using: &random)] = Self.item(
                    7, Int.random(in: 0..<99, using: &random))
            case 1: items.remove(at: Int.random(in: items.indices, using: &random))
            case 2: items.insert(Self.item(-5), at: Int.random(in: 0...items.count, using: &random))
            case 3: items = items.suffix(items.count / 2) + items.prefix(items.count / 2)
            default: items = items.prefix(4_000) + items
            }
            let packed = try Self.packed(items, after: earlier)
            #expect(try packed.bytes == Self.packed(items).bytes)
            earlier = packed
        }
    }

    @Test(arguments: ["p-", "gid://shopify/Product/7632910393", "https://shop.example/products/"])
    func `most bytes come from the earlier result if one item is new, gone or changed`(prefix: String) throws {
        let items = (100_000..<140_000).map { Self.item($0).replacing("p-", with: prefix) }
        let earlier = try Self.packed(items)
        var changed = items
        changed[17_000] = Self.item(0, 7)
        for later in [[Self.item(-1)] + items, Array(items.dropFirst()), changed] {
            let packed = try Self.packed(later, after: earlier)
            #expect(packed.reusedCount > packed.bytes.count * 3 / 4)
            #expect(try Self.packed(later).reusedCount == 0)
        }
    }

    @Test func `segments cost a twentieth at most`() throws {
        let (bytes, starts) = Self.text((0..<40_000).map { Self.item($0) })
        let whole = GzipWriter.packed(bytes.span)?.count ?? 0
        let packed = SegmentedGzip(bytes.span, itemsAt: starts)?.bytes.count ?? .max
        #expect(packed > whole)
        #expect(packed < whole * 21 / 20)
    }

    @Test(arguments: [0, 1, 2, 100, 1 << 20, 1 << 22])
    func `items of any size and number are packed`(size: Int) throws {
        for count in [0, 1, 2, 7] {
            _ = try Self.packed(Array(repeating: String(repeating: "a", count: size), count: count))
        }
    }

    @Test func `equal items, of which each could begin a segment, make no more than the size allows`() throws {
        let items = Array(repeating: Self.item(3), count: 30_000)
        let packed = try Self.packed(items)
        #expect(try Self.packed(items, after: packed).bytes == packed.bytes)
        #expect(packed.bytes.count < Self.text(items).bytes.count / 20)
    }

    @Test func `a text below a megabyte is one segment, as by the writer`() throws {
        let (bytes, starts) = Self.text((0..<1_000).map { Self.item($0) })
        let (packed, whole) = (SegmentedGzip(bytes.span, itemsAt: starts), GzipWriter.packed(bytes.span))
        #expect(packed?.bytes == whole)
    }
}
