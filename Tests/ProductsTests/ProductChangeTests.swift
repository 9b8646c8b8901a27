import PolymorphicCodable
import Testing

@testable import Products
import ProductsTestSupport

struct ProductChangeTests {
    private func product(_ amount: String, _ currency: String = "EUR", _ members: String = "") throws -> ProductText {
        let text = """
            [{"type":"physical","id":"a","name":"Mug","price":{"amount":\(amount),"currency":"\(currency)"}\(members)}]
            """
        return try Catalogue(decode(text)).text(at: 0)
    }

    @Test(arguments: [
        ("12", "12", "3", false), ("12", "36", "3", false), ("12", "36.01", "3", true), ("12", "35.99", "3", false),
        ("0.1", "0.3", "3", false), ("0.07", "0.21", "3", false), ("1", "1.5", "1.5", false),
        ("1", "1.500001", "1.5", true), ("0", "0", "3", false), ("0", "0.01", "1000000", true),
        ("0.0000001", "0.0000003", "3", false), ("0.0000001", "0.00000031", "3", true),
        ("1.0000001", "3.0000003", "3", false), ("1.0000001", "3.0000004", "3", true),
        ("1", "1000000000000000000000", "3", true), ("400000000000000", "1200000000000000", "3", false),
        ("33333333333333333333333333333333333333", "99999999999999999999999999999999999999", "3", false),
        ("33333333333333333333333333333333333332", "99999999999999999999999999999999999999", "3", true),
        ("0.5", "5000000000000000", "100000000", true), ("50000000", "5000000000000000", "100000000", false),
    ])
    func `prices are compared with a factor to the last digit`(
        before: String, after: String, factor: String, isMoved: Bool
    ) throws {
        let factor = try #require(PriceFactor(factor))
        let (before, after) = (try product(before), try product(after))
        #expect(factor.isExceeded(from: before, to: after) == isMoved)
        #expect(factor.isExceeded(from: after, to: before) == isMoved)
    }

    @Test func `another currency is beyond any factor`() throws {
        let factor = try #require(PriceFactor("3"))
        let (euro, dollar) = (try product("1"), try product("1", "USD"))
        #expect(factor.isExceeded(from: euro, to: dollar))
        #expect(ProductChange(from: euro, to: dollar).priceRatio == .infinity)
    }

    /// The bytes up to the price are not read again where they are those of another product.
    @Test(arguments: 0..<20)
    func `a product has the same members whatever product it is compared with`(seed: Int) throws {
        func members(_ text: ProductText) -> [String] {
            [text.typeName, text.id, text.name, text.amount, text.currency, "\(text.sales)"]
        }
        var random = RandomProducts(seed: seed)
        let products = Array(try NativeCatalogueDecoder(unknownKinds: .keep).decode(items: random.items(12)).products)
        let catalogue = try Catalogue(products: products)
        let dearer = String(decoding: catalogue.encoded, as: UTF8.self)
            .replacing(/"amount":-?/) { "\($0.output)7" }
        let later = try Catalogue(decode(dearer, unknownKinds: .keep))
        for one in [catalogue, later] {
            for other in [catalogue, later] {
                for (position, range) in one.ranges.enumerated() {
                    for like in other.texts {
                        #expect(members(ProductText(one.encoded, range, like: like)) == members(one.text(at: position)))
                    }
                }
            }
        }
    }

    @Test(arguments: ["1", "1.0", "0.5", "-3", "x", "", "3,5", "1e400"])
    func `a factor is a number above 1, of few digits`(text: String) {
        #expect(PriceFactor(text) == nil)
    }

    @Test(arguments: ["3", "3.0", "30e-1"])
    func `equal factors are one`(text: String) throws {
        #expect(PriceFactor(text) == PriceFactor("3"))
        #expect(PriceFactor(text)?.description == "3")
    }

    @Test func `a change is told by its price, or by the first member that differs`() throws {
        let (cheap, dear) = (try product("12"), try product("120"))
        #expect(ProductChange(from: cheap, to: dear).example.description == "\"a\": price 12 EUR -> 120 EUR")
        let (round, square) = (
            try product("1", "EUR", #","description":"round""#), try product("1", "EUR", #","description":"square""#)
        )
        #expect(
            ProductChange(from: round, to: square).example.description
                == "\"a\": description \"round\" -> \"square\"")
        #expect(
            ProductChange(from: round, to: try product("1")).example.description
                == "\"a\": description \"round\" -> none")
    }

    @Test(arguments: [
        (#""x":1"#, true), (#""x":"a""#, true), (#""x":false"#, true), (#""x":"""#, false), (#""x":null"#, false),
        (#""x":[]"#, false), (#""x":{}"#, false), (#""y":1"#, false),
    ])
    func `a member is filled unless it is missing, null or empty`(member: String, isFilled: Bool) throws {
        let product = try product("1", "EUR", "," + member)
        #expect(product.isFilled("x") == isFilled)
        #expect(product.isFilled("name") && product.isFilled("price"))
    }
}
