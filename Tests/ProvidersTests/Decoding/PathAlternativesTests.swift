internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Decoding

/// Members of theirs that may be in one place or another.
struct PathAlternativesTests {
    private static let mapping = """
        { type: physical, fields: { name: { path: [label, texts.0, title], default: Thing }, \
        price.amount: { path: [p.precise, p.cents], scale: { path: p.digits } }, \
        weight: { path: [mass, kilos], default: 9 } }, constants: { id: x, price.currency: EUR } }
        """
    private static let price = #""p":{"cents":5,"digits":0}"#

    private func product(_ members: String) throws -> any Product {
        try #require(try decodeMapped("[{\(members)}]", Self.mapping).products.first)
    }

    @Test(arguments: [
        (#""label":"a","texts":["b"],"title":"c""#, "a"), (#""texts":["b"],"title":"c""#, "b"),
        (#""label":null,"texts":[],"title":"c""#, "c"), (#""label":null,"title":null"#, "Thing"),
        ("\"x\":1", "Thing"), (#""label":"","title":"c""#, ""), (#""label":7,"title":"c""#, "7"),
    ])
    func `the first that is there counts`(members: String, name: String) throws {
        #expect(try product("\(members),\(Self.price)").name == name)
    }

    @Test(arguments: [
        (#""mass":"","kilos":"2.50""#, "2.5"), (#""mass":"","kilos":"""#, "9"), (#""mass":0,"kilos":2"#, "0"),
        (#""kilos":2"#, "2"),
    ])
    func `an empty string is no number, and the next place is looked at`(members: String, weight: String) throws {
        let product = try product("\(members),\(Self.price)")
        #expect((product as? PhysicalProduct)?.weight.map { "\($0)" } == weight)
    }

    @Test(arguments: [
        (#""p":{"cents":1999,"digits":2}"#, "19.99"), (#""p":{"precise":null,"cents":1999,"digits":2}"#, "19.99"),
        (#""p":{"precise":12345,"cents":1,"digits":6}"#, "0.012345"),
        (#""p":{"precise":"","cents":1999,"digits":0}"#, "1999"),
    ])
    func `an amount is scaled wherever it is`(members: String, amount: String) throws {
        #expect("\(try product(members).price.amount)" == amount)
    }

    @Test func `what is mapped is no attribute, whether it counted or not`() throws {
        let product = try product(#""label":"a","title":"b","mass":1,"kilos":2,"texts":["c"],\#(Self.price)"#)
        #expect(product.attributes.keys == ["texts", "p"])
    }

    @Test(arguments: [
        (#""mass":"heavy","kilos":1"#, "[0].weight (theirs: mass): expected a number, found string \"heavy\""),
        (#""mass":"","kilos":[]"#, "[0].weight (theirs: kilos): expected a number, found an array"),
        (#""texts":[{}],"title":"c""#, "[0].name (theirs: texts.0): expected a string, found an object"),
        (#""p":{"digits":2}"#, "[0].price.amount (theirs: p.precise or p.cents): missing; p has \"digits\""),
        (
            #""p":{"precise":5,"cents":1}"#,
            "[0].price.amount (theirs: p.precise): expected a scale from 0 to 18 at p.digits, found nothing"
        ),
        (
            #""p":{"cents":1e400,"digits":0}"#,
            "[0].price.amount (theirs: p.precise or p.cents): 1e400 cannot be kept to the digit"
        ),
    ])
    func `a bad value is named by its own place, one that is not there by all of them`(members: String, problem: String)
        throws
    {
        let all = members.contains("\"p\"") ? members : "\(members),\(Self.price)"
        #expect(try mappedProblem("[{\(all)}]", Self.mapping) == problem)
    }

    @Test(arguments: [
        (#""a":"x","b":"y""#, "digital"), (#""a":null,"b":"y""#, "physical"), (#""b":"x""#, "digital"),
        (#""a":"z","b":"x""#, "subscription"), ("\"c\":1", "subscription"),
    ])
    func `the kind may be told in several places`(members: String, kind: String) throws {
        let mapping = """
            { type: { path: [a, b], map: { x: digital, y: physical }, otherwise: subscription }, \
            constants: { id: x, name: Mug, price.amount: 1, price.currency: EUR, interval: month } }
            """
        #expect(try decodeMapped("[{\(members)}]", mapping).products.map(\.typeName) == [kind])
    }

    @Test(arguments: [
        ("\"c\":1", "[0].type (theirs: a or b.c): missing"),
        (#""b":{"c":[]}"#, "[0].type (theirs: b.c): expected a string, a number or a boolean, found an array"),
    ])
    func `a kind that is not told is named by all places, one that cannot be told by its own`(
        members: String, problem: String
    ) throws {
        #expect(try mappedProblem("[{\(members)}]", "{ type: { path: [a, b.c] } }") == problem)
    }

    @Test func `items are told apart by all the places where an id can be, in their order`() throws {
        let decoder = try makeDecoder("{ fields: { id: { path: [key.value, uid] } } }")
        #expect(decoder.idPaths.map(\.description) == ["key.value", "uid"])
    }
}
