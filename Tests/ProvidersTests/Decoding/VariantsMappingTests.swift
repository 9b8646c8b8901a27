internal import FoundationEssentials
internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Decoding

struct VariantsMappingTests {
    private static let fields = "fields: { sku: code, price.amount: { path: cents, scale: currency } }"

    private func decoded(_ items: String, _ variants: String, _ more: String = "") throws -> DecodedProducts {
        try decodeMapped(items, Self.mapping(variants, more))
    }

    private static func mapping(_ variants: String, _ more: String = "") -> String {
        "{ type: physical, fields: { name: title }, constants: { price.currency: EUR }, variants: \(variants)\(more) }"
    }

    private func text(_ product: (any Product)?, _ member: String) -> String? {
        product?.attributes[member].map { String(decoding: $0.encoded(), as: UTF8.self) }
    }

    @Test func `a product costs as much as its cheapest variant, and has the range of their prices`() throws {
        let items = #"""
            [{"id":1,"title":"Mug","sizes":[{"id":7,"code":"L","cents":2050},{"id":8,"code":"S","cents":"1999","left":3}]},
             {"id":2,"title":"Cup","sizes":[{"code":"one","cents":500}]}]
            """#
        let products = try decoded(items, "{ path: sizes, \(Self.fields) }").products.map { $0 }
        #expect(products.map { "\($0.price.amount) \($0.price.currency)" } == ["19.99 EUR", "5 EUR"])
        #expect(
            text(products.first, "variants")
                == #"[{"sku":"L","price":{"amount":20.5,"currency":"EUR"},"id":"7"},"#
                + #"{"sku":"S","price":{"amount":19.99,"currency":"EUR"},"id":"8","left":3}]"#)
        #expect(text(products.first, "priceRange") == #"{"min":19.99,"max":20.5,"currency":"EUR"}"#)
        #expect(text(products.last, "priceRange") == nil)
    }

    @Test func `the product's own price counts where it has one`() throws {
        let product = try decoded(
            #"[{"id":1,"title":"Mug","price":{"amount":7},"sizes":[{"cents":100}]}]"#, "{ path: sizes, \(Self.fields) }"
        ).products.first
        #expect(product?.price.amount == 7)
        #expect(text(product, "priceRange") == nil)
    }

    @Test func `all variants of several paths count, also of one that leads to an object`() throws {
        let product = try decoded(
            #"[{"id":1,"title":"Mug","main":{"cents":300},"more":{"edges":[{"node":{"cents":200}}]}}]"#,
            "{ path: [main, more.edges.*.node], \(Self.fields) }"
        ).products.first
        #expect(product?.price.amount == 2)
        #expect(product?.attributes["variants"]?.array?.count == 2)
    }

    @Test(arguments: [
        (#""sizes":[{"cents":-5}]"#, "[0].variants[0].price.amount: -0.05 is negative"),
        (
            #""sizes":[{"cents":"x"}]"#,
            "[0].variants[0].price.amount (theirs: cents): expected a number, found string \"x\""
        ),
        (#""sizes":["S"]"#, "[0].variants[0]: expected an object, found string \"S\""),
        (
            #""sizes":[{"cents":5,"price":{"currency":"USD"}},{"cents":7}]"#,
            "[0].variants: prices in EUR and USD; a product has one currency"
        ),
        (#""sizes":[{"code":"S"}]"#, "[0].price.amount: missing"),
        (#""sizes":[]"#, "[0].price.amount: missing"),
    ])
    func `a price that is none, or in another currency, makes the item bad`(sizes: String, problem: String) throws {
        let fields = "fields: { sku: code, price.amount: { path: cents, scale: 2 } }"
        let item = #"[{"id":1,"title":"Mug",\#(sizes)}]"#
        let found = try mappedProblem(item, Self.mapping("{ path: sizes, \(fields) }"))
        #expect(found == problem)
    }

    @Test func `a price of a variant in another form is no attribute`() throws {
        #expect(
            try mappedProblem(
                #"[{"id":1,"title":"Mug","price":{"amount":1},"sizes":[{"price":"19.99"}]}]"#,
                Self.mapping("{ path: sizes }"))
                == "[0].variants[0].price: expected an object, found string \"19.99\"")
    }

    @Test func `only the named members of a variant are kept`() throws {
        let product = try decoded(
            #"[{"id":1,"title":"Mug","sizes":[{"id":2,"cents":100,"cost":50,"colour":"red"}]}]"#,
            "{ path: sizes, \(Self.fields), attributes: [colour] }"
        ).products.first
        #expect(
            text(product, "variants") == #"[{"price":{"amount":1,"currency":"EUR"},"id":"2","colour":"red"}]"#)
    }

    @Test func `items that name a parent become its variants, in their order`() throws {
        let items = #"""
            [{"id":11,"parent":1,"cents":300},{"id":1,"title":"Mug","parent":0},{"id":2,"title":"Cup","price":{"amount":1}},
             {"id":12,"parent":"1","cents":200}]
            """#
        let products = try decoded(items, "{ parent: parent, \(Self.fields), attributes: drop }").products.map { $0 }
        #expect(products.map(\.id) == ["1", "2"])
        #expect(products.first?.price.amount == 2)
        #expect(
            text(products.first, "variants")
                == #"[{"price":{"amount":3,"currency":"EUR"},"id":"11"},{"price":{"amount":2,"currency":"EUR"},"id":"12"}]"#
        )
        #expect(products.last?.attributes["variants"] == nil)
    }

    @Test func `a variant that does not meet its conditions is not sold, and sets no price`() throws {
        let items =
            #"[{"id":1,"title":"Mug"},{"id":2,"parent":1,"on":false,"cents":1},{"id":3,"parent":1,"on":true,"cents":20}]"#
        let within =
            #"[{"id":1,"title":"Mug","sizes":[{"on":true,"cents":20},{"on":true,"cents":5},{"on":false,"cents":1}]}]"#
        #expect(
            try decoded(items, "{ parent: parent, when: { on: true }, \(Self.fields) }").products.first?.price.amount
                == 0.2)
        for variants in ["path: sizes, when: { on: true }", "path: \"sizes[on=true]\""] {
            let decoded = try decoded(within, "{ \(variants), \(Self.fields) }")
            #expect(decoded.products.first?.price.amount == 0.05)
            #expect(decoded.products.first?.attributes["variants"]?.array?.count == 2)
            #expect(decoded.unmatched.allSatisfy { $0.hasPrefix("variants.sku") })
        }
    }

    @Test func `a variant whose product is missing is bad`() throws {
        let items = #"[{"id":1,"title":"Mug","price":{"amount":1}},{"id":12,"parent":7,"cents":200}]"#
        let variants = "{ parent: parent, \(Self.fields) }"
        #expect(
            try mappedProblem(items, Self.mapping(variants)) == "[1]: no item has the id \"7\" of its product")
        let decoded = try decoded(items, variants, ", on_bad_item: skip")
        #expect(decoded.skipped.map(\.index) == [1])
        #expect(decoded.products.map(\.id) == ["1"])
    }

    @Test func `a path within variants that matches nothing is named`() throws {
        let decoded = try decoded(
            #"[{"id":1,"title":"Mug","price":{"amount":1},"sizes":[{"code":"S","cent":5}]}]"#,
            "{ path: sizes, \(Self.fields) }")
        #expect(
            decoded.unmatched == [
                "variants.price.amount: sizes.*.cents (sizes.* has \"code\" and \"cent\"; did you mean \"cent\"?)"
            ])
    }

    @Test func `optional members in another form are kept as they came, and counted`() throws {
        let decoded = try decodeMapped(
            #"""
            [{"id":1,"name":"Mug","price":{"amount":1,"currency":"EUR"},"weight":"1.2 lb","sales":"12+"},
             {"id":2,"name":"Cup","price":{"amount":1,"currency":"EUR"},"weight":"2 lb","dimensions":"1x2x3"},
             {"id":3,"name":"Jar","price":{"amount":1,"currency":"EUR"},"weight":4}]
            """#, "{ type: physical }")
        let products = decoded.products.map { $0 }
        #expect(text(products.first, "unconverted") == #"{"weight":"1.2 lb","sales":"12+"}"#)
        #expect(text(products[1], "unconverted") == #"{"weight":"2 lb","dimensions":"1x2x3"}"#)
        #expect((products[2] as? PhysicalProduct)?.weight == 4)
        #expect(products[2].attributes.isEmpty)
        #expect(
            decoded.unconverted == [
                #"weight: 2 items, like string "1.2 lb""#, #"sales: 1 item, like string "12+""#,
                #"dimensions: 1 item, like string "1x2x3""#,
            ])
    }

    @Test(arguments: [#""description":{}"#, #""category":false"#, #""dimensions":{"width":"x"}"#, #""imageURL":[]"#])
    func `an optional member in another form is served as it came`(member: String) throws {
        let decoded = try decodeMapped(
            #"[{"id":1,"name":"Mug","price":{"amount":1,"currency":"EUR"},\#(member)}]"#, "{ type: physical }")
        #expect(text(decoded.products.first, "unconverted") == "{\(member)}")
    }

    @Test func `parts of an object that is not made stay attributes`() throws {
        let text = #"""
            [{"id":1,"name":"Mug","price":{"amount":1,"currency":"EUR"},"w":3,"h":"","weight":2},
             {"id":2,"name":"Mug","price":{"amount":1,"currency":"EUR"},"w":3,"h":4,"weight":2}]
            """#
        let mapping = """
            { type: physical, fields: { dimensions.width: w, dimensions.height: h, dimensions.depth: weight } }
            """
        let products = try decodeMapped(text, mapping).products.map { $0 }
        #expect(products.map { $0.attributes["w"] } == [3, nil])
        #expect(products.map { $0.attributes["unconverted"] } == [.object(["weight": 2]), nil])
        #expect(products.compactMap { ($0 as? PhysicalProduct)?.dimensions?.height } == [4])
    }

    @Test(arguments: [("keep", true), ("drop", false), ("[x]", false)])
    func `what stands beside the members of an object under its own name is kept as attributes are`(
        attributes: String, isKept: Bool
    ) throws {
        let text = #"""
            [{"id":1,"name":"Mug","price":{"net":4,"amount":5,"currency":"EUR"},
              "dimensions":{"unit":"cm","width":1,"height":2,"depth":3}}]
            """#
        let decoded = try decodeMapped(text, "{ type: physical, attributes: \(attributes) }")
        let mug = decoded.products.first as? PhysicalProduct
        #expect(mug?.price.attributes == (isKept ? ["net": 4] : [:]))
        #expect(mug?.dimensions?.attributes == (isKept ? ["unit": "cm"] : [:]))
    }

    @Test func `a variant whose amount has no currency is bad, and one with a currency alone has no price`() throws {
        let mapping = "{ type: physical, variants: { path: v, fields: { price.amount: a, price.currency: c } } }"
        let text = #"[{"id":1,"name":"Mug","v":[{"a":5,"c":"EUR"},{"a":4}]}]"#
        #expect(try mappedProblem(text, mapping) == "[0].variants[1].price.currency: missing")
        let other = #"[{"id":1,"name":"Mug","v":[{"a":5,"c":"EUR"},{"c":"EUR"}]}]"#
        #expect(try decodeMapped(other, mapping).products.first?.price.amount == 5)
    }

    @Test(arguments: [
        (#"{"id":[],"name":"Mug","price":{"amount":1,"currency":"EUR"}}"#, "[0].id"),
        (#"{"id":1,"name":[],"price":{"amount":1,"currency":"EUR"}}"#, "[0].name"),
        (#"{"id":1,"name":"Mug","price":"1 EUR"}"#, "[0].price"),
        (#"{"id":1,"name":"Mug","price":{"amount":"?","currency":"EUR"}}"#, "[0].price.amount"),
    ])
    func `a required member in another form makes the item bad`(item: String, place: String) throws {
        #expect(try mappedProblem("[\(item)]", "{ type: physical }")?.hasPrefix(place) == true)
    }
}
