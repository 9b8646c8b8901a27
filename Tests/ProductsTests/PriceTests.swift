import FoundationEssentials
import JSON
import Products
import ProductsTestSupport
import Testing

@Suite struct PriceTests {
    private func decode(_ amount: String) throws -> Price {
        try product(amount).price
    }

    private func product(_ amount: String) throws -> any Product {
        try decodeProducts("[\(item("digital").replacing(#""amount":1,"#, with: #""amount":\#(amount),"#))]")[0]
    }

    @Test(arguments: [
        ("19.99", "19.99"), ("0.1", "0.1"), ("1e2", "100"), ("19.90", "19.9"), ("\"19.99\"", "19.99"),
        ("-3.50", "-3.5"),
        ("0", "0"), ("-0.00", "0"), ("1E-3", "0.001"), ("9007199254740993", "9007199254740993"),
        ("18446744073709551616", "18446744073709551616"), ("0.30000000000000004", "0.30000000000000004"),
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
        ("0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678"),
        ("1e40", "1" + String(repeating: "0", count: 40)),
    ])
    func `keeps amounts to the digit`(amount: String, digits: String) throws {
        #expect(try encode(product(amount)).contains(#""price":{"amount":\#(digits),"currency":"EUR"}"#))
        #expect(try decode(amount) == decode(digits))
    }

    @Test(arguments: ["123456789012345678901234567890123456789", "1e200", "1e-200", "1e99999999999999999999"])
    func `refuses an amount that it could only keep roughly`(amount: String) {
        let detail = "[0].price.amount: \(amount) cannot be kept to the digit"
        #expect(throws: ProductsFailure.malformed(detail: detail)) { try decode(amount) }
    }

    @Test(arguments: ["\"\"", "\"1,5\"", "\" 1\"", "\"NaN\"", "true", "[]", "{}"])
    func `what is no number is refused`(amount: String) {
        #expect(throws: ProductsFailure.self) { try decode(amount) }
    }

    @Test(arguments: [0, 9, 99, 1234, 99_999, 10_000_000])
    func `every cent of every whole amount survives`(whole: Int) throws {
        for cents in 0..<100 {
            let amount = "\(whole).\(cents / 10)\(cents % 10)"
            let price = try decode(amount)
            #expect(price.amount == Decimal(whole * 100 + cents) / 100)
            #expect(try decode(JSONNumber(literal: price.amount.description)?.literal ?? "") == price)
        }
    }
}
