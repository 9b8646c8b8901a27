import Products
import ProductsTestSupport
import Querying
import Testing

struct SearchTests {
    private func finds(_ text: String, in name: String) throws -> Bool {
        try makeIndex([makeListed("1", name: name)]).page(of: ProductsQuery(text: text)).total == 1
    }

    @Test(arguments: [
        ("STRASSE", "straße"), ("straße", "STRASSE"), ("ẞ", "ss"), ("istanbul", "İSTANBUL"), ("ISPARTA", "ısparta"),
        ("creme brulee", "Crème brûlée"), ("crème", "cre\u{300}me"), ("cre\u{300}me", "CREME"),
        ("viet nam", "Việt Nam"), ("v\u{69}\u{302}\u{323}t", "vi\u{323}\u{302}t"), ("smorrebrod", "Smørrebrød"),
        ("œuvre", "OEUVRE"), ("οδος", "ΟΔΟΣ"), ("ᾳ", "α\u{345}"), ("елка", "Ёлка"), ("й", "и\u{306}"),
        ("\u{627}\u{643}\u{644}", "\u{623}\u{643}\u{644}"), ("\u{5E9}\u{5C1}", "\u{5E9}"),
        ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"),
        ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "한글"),
        ("하", "\u{1112}\u{1161}"), ("\u{D558}\u{11AB}", "한"),
        ("software", "soft\u{AD}ware"), ("❤", "❤\u{FE0F}"), ("👩", "👩\u{200D}👧"), ("ﬁsh", "fish"), ("ſilk", "silk"),
    ])
    func `does not see case, accents and what is not there to be seen`(text: String, name: String) throws {
        #expect(try finds(text, in: name))
    }

    @Test(arguments: [
        ("か", "が"), ("a", "α"), ("c++", "c"), ("1", "①"), ("하", "한"), ("\u{11AB}", "한"), ("क", "ख"), ("ab", "a b"),
        ("ba", "ab"),
    ])
    func `sees what makes another letter or symbol`(text: String, name: String) throws {
        #expect(try !finds(text, in: name))
    }

    @Test func `finds parts of words, each of its words anywhere, and no word across two members`() throws {
        let index = try makeIndex([
            makeListed("1", name: "Kaffeebecher", description: "aus Glas", category: "Küche"),
            makeListed("2", name: "Becher", category: "Bad"), makeListed("3", name: "glas", description: "becher"),
        ])
        #expect(try index.ids(ProductsQuery(text: "becher")) == ["1", "2", "3"])
        #expect(try index.ids(ProductsQuery(text: "glas, becher")) == ["1", "3"])
        #expect(try index.ids(ProductsQuery(text: "kuch BECHER aus")) == ["1"])
        #expect(try index.ids(ProductsQuery(text: "becheraus")).isEmpty)
        #expect(try index.ids(ProductsQuery(text: "becher zebra")).isEmpty)
    }

    @Test(arguments: ["aab", "ab", "b", "a", "aaab"])
    func `finds a word that begins, ends or repeats like another`(word: String) throws {
        let names = ["aaab", "aab", "ab", "b", "a", "ba"]
        let index = try makeIndex(names.enumerated().map { makeListed("\($0)", name: $1) })
        let expected = names.indices.filter { names[$0].contains(word) }.map { "\($0)" }
        #expect(try index.ids(ProductsQuery(text: word)) == expected)
    }

    /// The composed letters are found by composing: every letter with every mark, and what comes of that once more.
    @Test func `takes every mark from every letter of Latin, Greek and Cyrillic script`() throws {
        let composed = Self.composedLetters
        #expect(composed.count > 500)
        let index = try makeIndex(composed.enumerated().map { makeListed("\($0)", name: String($1.letter)) })
        for (position, pair) in composed.enumerated() {
            let found = try index.page(of: ProductsQuery(text: pair.decomposed)).positions
            #expect(found.contains(position), "U+\(String(pair.letter.value, radix: 16)), \(pair.decomposed)")
        }
    }

    private static let composedLetters: [(letter: Unicode.Scalar, decomposed: String)] = {
        let ranges: [ClosedRange<UInt32>] = [0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x370...0x52F, 0x1E00...0x1FFF]
        let letters = ranges.joined().compactMap(Unicode.Scalar.init).filter(\.properties.isAlphabetic)
        let known = Dictionary(letters.map { (String($0), $0) }) { first, _ in first }
        let marks = (0x300...0x345).compactMap(Unicode.Scalar.init)
        return letters.flatMap { letter in
            marks.compactMap { mark in
                let decomposed = String(letter) + String(mark)
                return known[decomposed].map { ($0, decomposed) }
            }
        }
    }()
}
