internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Decoding

struct FieldMappingTests {
    /// The product that a mapping's `fields` make of the members of an item.
    private func product(_ members: String, _ fields: String, type: String = "physical") throws -> any Product {
        let mapping = "{ type: \(type), fields: { \(fields) }, constants: { id: x, name: Mug, price.currency: EUR } }"
        return try #require(try decodeMapped("[{\(members)}]", mapping).products.first)
    }

    @Test(arguments: [
        ("price.amount: p", #""p":19.99"#, "19.99"), ("price.amount: p", #""p":"19.99""#, "19.99"),
        ("price.amount: { path: p, scale: 2 }", #""p":1999"#, "19.99"),
        ("price.amount: { path: p, scale: 3 }", #""p":"1999""#, "1.999"),
        ("price.amount: { path: p, scale: 0 }", #""p":1999"#, "1999"),
        ("price.amount: { path: p.cents, scale: { path: p.digits } }", #""p":{"cents":1999,"digits":2}"#, "19.99"),
        ("price.amount: { path: p.cents, scale: { path: p.digits } }", #""p":{"cents":1999,"digits":0}"#, "1999"),
        ("price.amount: { path: p.cents, scale: { divisor: p.d } }", #""p":{"cents":1999,"d":100}"#, "19.99"),
        ("price.amount: { path: p.cents, scale: { divisor: p.d } }", #""p":{"cents":1999,"d":"1"}"#, "1999"),
        ("price.amount: { path: p.cents, scale: { divisor: p.d } }", #""p":{"cents":1999,"d":1000}"#, "1.999"),
        ("price.amount: { path: p, default: 0 }", "", "0"),
        ("price.amount: { path: p, default: 0 }", #""p":null"#, "0"),
        ("price.amount: { path: p, default: 0.5 }", #""p":"""#, "0.5"),
        ("price.amount: { path: p, default: \"0.50\" }", "", "0.5"),
        ("price.amount: { path: p, scale: 2, default: 7 }", "", "7"),
        ("price.amount: { path: p, scale: 2, default: 7 }", #""p":100"#, "1"),
        ("price.amount: { path: p.cents, scale: { path: p.digits }, default: 7 }", #""p":{"cents":""}"#, "7"),
        ("price.amount: variants.0.price", #""variants":[{"price":"9.50"},{"price":"1"}]"#, "9.5"),
    ])
    func `prices come as number, text or minor units, or are the default`(
        fields: String, members: String, amount: String
    ) throws {
        #expect("\(try product(members, fields).price.amount)" == amount)
    }

    @Test(arguments: [
        (#""p":1999"#, "found nothing"), (#""p":1999,"digits":"two""#, "found string \"two\""),
        (#""p":1999,"digits":19"#, "found number 19"), (#""p":1999,"digits":-1"#, "found number -1"),
    ])
    func `a scale that the item does not tell is a problem of the member it is for`(members: String, found: String)
        throws
    {
        let mapping = """
            { type: physical, fields: { price.amount: { path: p, scale: { path: digits } } }, \
            constants: { id: x, name: Mug, price.currency: EUR } }
            """
        #expect(
            try mappedProblem("[{\(members)}]", mapping)
                == "[0].price.amount (theirs: p): expected a scale from 0 to 18 at digits, \(found)")
    }

    @Test func `every kind's own members are read from where the mapping says`() throws {
        let price = "price.amount: { path: p, default: 1 }"
        let plan = try product(
            #""per":"month","trial":"14""#, "interval: per, trialDays: trial, \(price)", type: "subscription")
        #expect((plan as? SubscriptionProduct)?.interval == "month")
        #expect((plan as? SubscriptionProduct)?.trialDays == 14)
        let song = try product(#""url":"u","bytes":"12.0""#, "downloadURL: url, size: bytes, \(price)", type: "digital")
        #expect((song as? DigitalProduct)?.downloadURL == "u")
        #expect((song as? DigitalProduct)?.size == 12)
        let card = try product(
            #""values":["1000",2550]"#, "denominations: { path: values, scale: 2 }, \(price)", type: "giftCard")
        #expect((card as? GiftCardProduct)?.denominations.map { "\($0)" } == ["10", "25.5"])
        let box = try product(
            #""parts":[{"type":"digital","id":1,"name":"a","price":{"amount":2,"currency":"EUR"}}]"#,
            "products: parts, \(price)", type: "bundle")
        #expect((box as? BundleProduct)?.products.map(\.id) == ["1"])
    }

    @Test func `the element of an array that is no number is named`() throws {
        let mapping = """
            { type: giftCard, fields: { denominations: values }, \
            constants: { id: x, name: Card, price.amount: 1, price.currency: EUR } }
            """
        #expect(
            try mappedProblem(#"[{"values":[5,"x"]}]"#, mapping)
                == "[0].denominations[1] (theirs: values): expected a number, found string \"x\"")
    }

    @Test func `names and the like are read from numbers, and defaults stand in for what is not there`() throws {
        let mapping = """
            { type: physical, fields: { name: { path: n, default: 12 }, category: c, \
            weight: { path: w, default: 2 } }, \
            constants: { id: 5, price.amount: "1.50", price.currency: EUR } }
            """
        let products = try decodeMapped(#"[{"n":1984,"c":7,"w":"3.50"},{"w":""}]"#, mapping).products
        #expect(products.map(\.name) == ["1984", "12"])
        #expect(products.map(\.category) == ["7", nil])
        #expect(products.map(\.id) == ["5", "5"])
        #expect(products.compactMap { ($0 as? PhysicalProduct)?.weight }.map { "\($0)" } == ["3.5", "2"])
        #expect(products.map { "\($0.price.amount)" } == ["1.5", "1.5"])
    }
}
