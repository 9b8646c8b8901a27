import JSON
import Testing

@testable import Products

/// A product of the layout of one before is copied without a tape; the result is that of reading it alone.
@Suite struct ProductLayoutTests {
    private static let texts = [
        #""a""#, #""""#, #""ä\"\n""#, #""\u0041""#, #""\/""#, #""\x""#, "\"\u{1}\"", #""EUR""#, #""eur""#, "7", "null",
        "true", #"["a","b"]"#, #"{"id":"x"}"#, #""open"#,
    ]
    private static let numbers = [
        "1", "0", "-1", "-0", "1.5", "1.50", "0.10", "01", "1.", "1e2", "12345678901234567890",
        "1.123456789012345678901", #""1.5""#, #""x""#, "null", "[1]", "{}", "1 ",
    ]
    /// Texts stand where `T` is, and numbers where `N` is.
    private static let layouts = [
        #"{"type":"physical","id":T,"name":T,"price":{"amount":N,"currency":"EUR"},"sales":N,"weight":N}"#,
        #"{"id":T,"brand":T,"stock":N,"type":"digital","isPopular":T,"price":{"currency":T,"amount":N},"name":T,"size":N}"#,
        #"{ "type": "giftCard", "id": N, "name": T, "price": { "amount": N, "currency": "EUR" }, "denominations": [ N, N ] }"#,
        #"{"type":"subscription","id":T,"name":T,"price":{"amount":N,"currency":"EUR"},"interval":T,"trialDays":N,"category":T}"#,
        #"{"type":"digital","id":T,"name":T,"price":{"amount":N,"currency":"EUR"},"size":1,"tags":[T, {"a":N}],"category":[T,T]}"#,
        #"{"type":"bundle","id":T,"name":T,"price":{"amount":N,"currency":"EUR"},"products":[{"type":"digital","id":T,"#
            + #""name":T,"price":{"amount":N,"currency":"EUR"},"sales":N,"size":N}]}"#,
    ]

    private func filled(_ layout: String, _ text: (Bool) -> String) -> String {
        layout.reduce(into: "") { filled, letter in
            let isValue = (letter == "T" || letter == "N") && [":", " ", "[", ","].contains(filled.last)
            filled += isValue ? text(letter == "T") : String(letter)
        }
    }

    private func decoded(_ items: [String]) -> Result<[[UInt8]], ProductsFailure> {
        Result { () throws(ProductsFailure) in
            let array = try NativeCatalogueDecoder().decode(Array("[\(items.joined(separator: ","))]".utf8)).array
            return array.ranges.map { Array(array.bytes[$0]) }
        }
    }

    @Test(arguments: layouts.indices)
    func `a product behind others of its layout has the encoding that it has alone`(layout: Int) throws {
        var number = 0
        let good = (0..<3).map { _ in
            filled(Self.layouts[layout]) { isText in
                number += 1
                return isText ? "\"AB\(number)\"" : "\(number)"
            }
        }
        let before = try decoded(good).get()
        let count = Self.layouts[layout].count { $0 == "T" || $0 == "N" }
        for place in 0..<count {
            for choice in 0..<max(Self.texts.count, Self.numbers.count) {
                var value = -1
                let item = filled(Self.layouts[layout]) { isText in
                    value += 1
                    let choices = isText ? Self.texts : Self.numbers
                    return value == place ? choices[choice % choices.count] : isText ? "\"CD\(value)\"" : "\(value + 2)"
                }
                switch (decoded([item]), decoded(good + [item])) {
                case (.success(let alone), .success(let all)): #expect(all == before + alone, "\(item)")
                case (.failure, .failure): break
                case (let alone, let all): Issue.record("\(item): \(alone), \(all)")
                }
            }
        }
    }
}
