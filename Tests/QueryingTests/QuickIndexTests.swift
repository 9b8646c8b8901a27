import FoundationEssentials
import JSON
import Products
import ProductsTestSupport
import Querying
import Testing
import TestSupport

/// The index reads plain ASCII from the encoding, and everything else by way of strings. Both find the same.
struct QuickIndexTests {
    private static let seeds = 0..<40
    /// A letter that no text here has, and which no ASCII stands for.
    private static let stranger = "茶"
    private static let ascii = (0x20..<0x80).compactMap(Unicode.Scalar.init).map { String($0) }

    private func text(_ random: inout SeededGenerator) -> String {
        let few = ["a", "B", "b", "1", " ", "-", "+", "$", "_", "abcdefgh", "ABCDEFGHI", "abcdefghabcdefgh", "\u{7F}"]
        return (0..<Int.random(in: 1...12, using: &random)).map { _ in
            random.chance(70) ? random.pick(few) : random.pick(Self.ascii)
        }
        .joined()
    }

    @Test(arguments: seeds)
    func `words of ASCII are those of the same text with another word behind it`(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let texts = (0..<80).map { _ in text(&random) }
        let quick = try makeIndex(
            texts.enumerated().map { makeListed("\($0)", description: $1, category: ProductCategories($1)) })
        let slow = try makeIndex(
            texts.enumerated().map {
                makeListed(
                    "\($0)", description: "\($1) \(Self.stranger)",
                    category: ProductCategories("\($1) \(Self.stranger)"))
            })
        for text in texts + (0..<200).map({ _ in text(&random) }) + Self.ascii {
            let query = ProductsQuery(text: text)
            #expect(try quick.page(of: query).positions == slow.page(of: query).positions, "\(text)")
        }
    }

    @Test func `each of many words is found where it is, and nowhere else`() throws {
        let index = try makeIndex((0..<3000).map { makeListed("\($0)", name: "<w\($0)> w\($0)~ shared, W\($0 % 7)") })
        for number in stride(from: 0, to: 3000, by: 131) {
            let found = try index.ids(ProductsQuery(text: "w\(number)~"))
            #expect(found == ["\(number)"])
            #expect(try index.page(of: ProductsQuery(text: "<w\(number)>")).total == 1)
        }
        #expect(try index.page(of: ProductsQuery(text: "shared")).total == 3000)
    }

    @Test(arguments: seeds)
    func `texts are sorted by their bytes, with and without others than ASCII`(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        for others in [
            [],
            [
                "Zoë", "e\u{301}", "\u{E9}x", "e\u{301}y", "f", "İ", "a\nb", "a\"b", Self.stranger, "a\u{0}", "~\u{0}",
                "😀", "\u{FFFD}",
            ],
        ] {
            let ids = Array(Set((0..<60).map { _ in text(&random) } + others))
            let index = try makeIndex(ids.map { makeListed($0) })
            let found = try index.page(of: ProductsQuery(sort: [ProductsSortKey(.id)]))
            let sorted = ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            #expect(found.positions.map { Array(ids[$0].utf8) } == sorted.map { Array($0.utf8) })
        }
    }

    @Test(arguments: seeds)
    func `amounts are sorted and bounded like decimals`(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let special = [
            "0", "-0", "0.000001", "0.0000001", "0.0000002", "-0.0000001", "1", "1.0000005", "1.000001", "-1",
            "-1.0000005", "999999999999", "999999999999.999999", "999999999999.9999991", "1000000000000",
            "1000000000000.5", "-1000000000000", "-2000000000000", "12345678901234567890123456789012345678",
            "0.00000000000000000000000000000000000001", "1e30", "1e-30", "10", "9", "10.01", "10.1", "9000000000000",
        ]
        let amounts = (0..<100).map { _ in
            let text =
                random.chance(50)
                ? random.pick(special)
                : "\(Int.random(in: -2000...2000, using: &random)).\(Int.random(in: 0...99, using: &random))"
            return Decimal(string: text) ?? 0
        }
        let index = try makeIndex(amounts.enumerated().map { makeListed("\($0)", amount: $1) })
        for isDescending in [false, true] {
            let found = try index.page(of: ProductsQuery(sort: [ProductsSortKey(.price, isDescending: isDescending)]))
            #expect(
                found.positions
                    == amounts.indices.sorted { left, right in
                        if amounts[left] == amounts[right] { return left < right }
                        return (amounts[left] < amounts[right]) != isDescending
                    })
        }
        for _ in 0..<40 {
            let (least, greatest) = (random.pick(amounts), random.pick(amounts))
            let found = try index.page(of: ProductsQuery(minPrice: least, maxPrice: greatest)).positions
            #expect(found == amounts.indices.filter { amounts[$0] >= least && amounts[$0] <= greatest })
        }
    }
}
