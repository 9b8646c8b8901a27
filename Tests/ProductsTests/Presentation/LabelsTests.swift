import FoundationEssentials
import JSON
import Testing

@testable import Products
import ProductsTestSupport

struct LabelsTests {
    /// The display of a download with these members in the place of the usual ones.
    private func display(
        price: String = #"{"amount":1,"currency":"EUR"}"#, description: String? = nil, size: Int? = nil
    ) throws -> any ProductDisplayable {
        let text = #"{"type":"digital","id":"1","name":"Song","price":\#(price)}"#
        var product = try #require(try decodeProducts("[\(text)]")[0] as? DigitalProduct)
        product.details.description = description
        product.size = size
        return product.variant.display(isPopular: false)
    }

    private func label(_ amount: String, _ currency: String) throws -> String {
        try display(price: #"{"amount":\#(amount),"currency":"\#(currency)"}"#).priceLabel
    }

    @Test(arguments: [
        ("19.99", "EUR", "19.99 EUR"), ("19.90", "EUR", "19.90 EUR"), ("0.1", "EUR", "0.10 EUR"),
        ("20", "EUR", "20.00 EUR"), ("1e2", "USD", "100.00 USD"), ("0", "EUR", "0.00 EUR"),
        ("-0.00", "EUR", "0.00 EUR"), ("-3.5", "EUR", "-3.50 EUR"), ("-0.05", "EUR", "-0.05 EUR"),
        ("19.999", "EUR", "19.999 EUR"), ("19.990", "EUR", "19.99 EUR"), ("0.0001", "USD", "0.0001 USD"),
        ("1234567.5", "EUR", "1234567.50 EUR"), ("1500", "JPY", "1500 JPY"), ("1500.00", "JPY", "1500 JPY"),
        ("1500.5", "JPY", "1500.5 JPY"), ("0.1", "KWD", "0.100 KWD"), ("2", "KWD", "2.000 KWD"),
        ("1.2345", "KWD", "1.2345 KWD"), ("7.25", "CLF", "7.2500 CLF"), ("5", "XXY", "5.00 XXY"),
        ("5", "", "5.00"), ("9007199254740993.01", "EUR", "9007199254740993.01 EUR"),
        ("0.30000000000000004", "EUR", "0.30000000000000004 EUR"),
        ("1e30", "JPY", "1000000000000000000000000000000 JPY"), ("1e-9", "JPY", "0.000000001 JPY"),
    ])
    func `an amount has the digits of its currency, and keeps those beyond`(
        amount: String, currency: String, text: String
    ) throws {
        #expect(try label(amount, currency) == text)
    }

    @Test func `every cent has two digits, and no other than its own`() throws {
        for cents in 0..<1000 {
            let text = "\(cents / 100).\(cents / 10 % 10)\(cents % 10)"
            #expect(try label(text, "EUR") == "\(text) EUR")
        }
    }

    @Test(
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1024, "1 KiB"), (1075, "1 KiB"), (1076, "1.1 KiB"),
            (1536, "1.5 KiB"), (1_048_524, "1023.9 KiB"), (1_048_525, "1 MiB"), (1_048_576, "1 MiB"),
            (734_003_200, "700 MiB"), (4_700_000_000, "4.4 GiB"), (1 << 40, "1 TiB"), (Int.max, "8 EiB"), (-1, nil),
            (Int.min, nil),
        ] as [(Int, String?)])
    func `a size is shown in the unit that suits it, to a tenth`(bytes: Int, label: String?) throws {
        #expect(try display(size: bytes).subtitle == label)
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
        ] as [(String, String?)])
    func `a description is shown in one line, cut after a word`(description: String, line: String?) throws {
        #expect(try display(description: description).summary == line)
    }

    @Test func `a description of a megabyte is cut too`() throws {
        let description = String(repeating: "word ", count: 200_000)
        #expect(try display(description: description).summary == String(repeating: "word ", count: 32) + "…")
    }

    @Test(arguments: [
        ("EUR", 2), ("USD", 2), ("MGA", 2), ("MRU", 2), ("HUF", 2), ("JPY", 0), ("KRW", 0), ("ISK", 0), ("XOF", 0),
        ("UYI", 0), ("KWD", 3), ("BHD", 3), ("TND", 3), ("CLF", 4), ("UYW", 4),
    ])
    func `a currency has the minor digits of ISO 4217`(code: String, digits: Int) {
        #expect(Currency(code: code)?.minorDigits == digits)
    }

    @Test(arguments: ["", "eur", "EURO", "XXY", "US$", "EUR ", "ISO"])
    func `what is not a code in capitals is no currency`(code: String) {
        #expect(Currency(code: code) == nil)
    }
}
