import FoundationEssentials
import Products
import Testing

struct DisplayTextTests {
    private func summary(_ description: String) -> String? {
        let details = ProductDetails(
            id: "1", name: "Mug", price: Price(amount: 1, currency: "EUR"), description: description)
        return DigitalProduct(details: details).variant.display(popularity: PopularityRule()).summary
    }

    private static let blank = String(repeating: " \n", count: 2000)

    @Test(
        arguments: [
            ("A mug.", "A mug."), ("  A\n\tmug,  blue \n", "A mug, blue"), ("", nil), (" \n ", nil),
            (Self.blank + "Late", "Late"), ("Krug №7\u{2028}😀", "Krug №7 😀"), ("كوب شاي", "كوب شاي"),
            (String(repeating: "word ", count: 32), String(repeating: "word ", count: 31) + "word"),
            (String(repeating: "word ", count: 33), String(repeating: "word ", count: 32) + "…"),
            (String(repeating: "x", count: 160), String(repeating: "x", count: 160)),
            (String(repeating: "x", count: 161), String(repeating: "x", count: 160) + "…"),
            (String(repeating: "👩‍👩‍👧‍👦", count: 200), String(repeating: "👩‍👩‍👧‍👦", count: 160) + "…"),
            ("a" + Self.blank + "b", "a …"),
            (String(repeating: "word ", count: 200_000), String(repeating: "word ", count: 32) + "…"),
        ] as [(String, String?)])
    func `A description is shown in one line, cut after a word`(description: String, line: String?) {
        #expect(summary(description) == line)
    }
}
