import JSON
import Products
import Testing

struct PriceLabelTests {
    private func label(_ amount: String, _ currency: String) throws -> String {
        let price = try JSONValueDecoder.decode(
            Price.self, from: JSONParser().parse(Array(#"{"amount":\#(amount),"currency":"\#(currency)"}"#.utf8)))
        let product = DigitalProduct(details: ProductDetails(id: "1", name: "Song", price: price))
        return product.variant.display(popularity: PopularityRule()).priceLabel
    }

    @Test(
        "An amount has the digits of its currency, and keeps those beyond",
        arguments: [
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
    func digits(amount: String, currency: String, text: String) throws {
        #expect(try label(amount, currency) == text)
    }

    @Test func `Every cent has two digits, and no other than its own`() throws {
        for cents in 0..<1000 {
            let text = "\(cents / 100).\(cents / 10 % 10)\(cents % 10)"
            #expect(try label(text, "EUR") == "\(text) EUR")
        }
    }
}
