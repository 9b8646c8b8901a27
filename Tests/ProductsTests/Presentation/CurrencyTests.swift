import Products
import Testing

struct CurrencyTests {
    @Test(arguments: [
        ("EUR", 2), ("USD", 2), ("MGA", 2), ("MRU", 2), ("HUF", 2), ("JPY", 0), ("KRW", 0), ("ISK", 0), ("XOF", 0),
        ("UYI", 0), ("KWD", 3), ("BHD", 3), ("TND", 3), ("CLF", 4), ("UYW", 4),
    ])
    func `A currency has the minor digits of ISO 4217`(code: String, digits: Int) {
        #expect(Currency(code: code)?.minorDigits == digits)
        #expect(Currency(code: code)?.code == code)
    }

    @Test(arguments: ["", "eur", "EURO", "XXY", "US$", "EUR ", "ISO"])
    func `What is not a code in capitals is no currency`(code: String) {
        #expect(Currency(code: code) == nil)
    }
}
