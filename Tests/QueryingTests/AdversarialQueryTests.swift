import Products
import ProductsTestSupport
import QueryFuzzing
import Querying
import Testing
import TestSupport

struct AdversarialQueryTests {
    private static let texts: [String] = [
        "", " ", "\u{0}", "\t\n\r", "a\u{0}b", "\\", "\\\\", ",", ",,,", "-", "--", "'", "\"", "' OR 1=1 --",
        "<script>", "../../etc/passwd", "%00", "%s%n", "${HOME}", "{}", "[]", "null", "true", "false", "NaN",
        "Infinity", "-0", "00", "1e999999999999999999999", "1e-999999999999999999999", "-9223372036854775808",
        "9223372036854775808", "0x7f", "1_000", "１２", "①", "\u{FEFF}1", "\u{202E}abc", "\u{301}",
        "a\u{301}\u{301}\u{301}", "👨‍👩‍👧‍👦", "\u{10FFFF}", "\u{FFFD}", "ß", "İ", "ı", "ǆ", "ﷺ", "\u{345}", "\u{1160}",
        "가", "\u{1100}\u{1161}", "क्ष", "か\u{3099}", "\u{AD}", "\u{200D}", String(repeating: "a", count: 9000),
        String(repeating: ",", count: 9000), String(repeating: "\u{301}", count: 4000),
        String(repeating: "9", count: 9000), String(repeating: "a,", count: 4000) + "a",
        String(repeating: "a ", count: 4000), "1." + String(repeating: "0", count: 9000),
        String(repeating: "\\,", count: 3000),
    ]

    @Test(arguments: ProductsQueryParameter.allCases)
    func `are a query that can be asked, or a problem that can be told`(parameter: ProductsQueryParameter) throws {
        let index = try makeIndex(
            Self.texts.filter { !$0.isEmpty }.enumerated().map {
                makeListed("\($0)", name: $1, category: ProductCategories($1))
            })
        for text in Self.texts {
            for items in [[(parameter.rawValue, text)], [(text, parameter.rawValue)]] {
                do throws(ProductsQueryProblem) {
                    let query = try ProductsQuery(parsing: items.map { (name: $0, value: $1) }, limits: PageLimits())
                    #expect(throws: Never.self) { try index.page(of: query) }
                } catch {
                    #expect(!error.description.isEmpty && error.description.utf8.count < 1200)
                }
            }
        }
    }

    @Test func `are found by themselves, wherever they have a word`() throws {
        let texts = Self.texts.filter { !$0.isEmpty }
        let index = try makeIndex(texts.enumerated().map { makeListed("\($0)", name: $1) })
        for (position, text) in texts.enumerated() {
            #expect(try index.page(of: ProductsQuery(text: text)).positions.contains(position))
        }
    }

    @Test(arguments: 0..<30)
    func `make queries of any mixture without a crash`(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let index = try makeIndex((0..<70).map { makeListed("\($0)", name: random.pick(Self.texts)) })
        for _ in 0..<50 {
            let items = (0..<3).map { _ in
                (
                    name: random.pick(ProductsQueryParameter.allCases).rawValue,
                    value: random.chance(10) ? nil : Optional(random.pick(Self.texts + ["1", "id,-price", "a,b"]))
                )
            }
            guard let query = try? ProductsQuery(parsing: items, limits: PageLimits()) else { continue }
            let page = try index.page(of: query)
            #expect(page.positions.count <= page.total)
        }
    }
}

/// What the fuzzer of queries found worth keeping, replayed.
@Suite struct QueryCorpusTests {
    static let inputs = FuzzedInput.corpus(of: "Query")

    @Test func `the corpus has queries that are answered, and others that are refused`() throws {
        let properties = try QueryProperties()
        let answered = try Self.inputs.count(where: { try properties.check($0.bytes) })
        #expect(answered >= 15)
        #expect(Self.inputs.count - answered >= 15)
    }

    @Test(arguments: inputs)
    func `every property of queries holds for every input of the corpus`(_ input: FuzzedInput) throws {
        let properties = try QueryProperties()
        #expect(throws: Never.self) { try properties.check(input.bytes) }
    }

    @Test(arguments: 0..<20)
    func `every property holds for random mixtures of the corpus`(seed: Int) throws {
        let properties = try QueryProperties()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let (left, right) = (random.pick(Self.inputs).bytes, random.pick(Self.inputs).bytes)
            let cut = Int.random(in: 0...left.count, using: &random)
            try properties.check(left[..<cut] + [UInt8(ascii: "&")] + right)
        }
    }
}
