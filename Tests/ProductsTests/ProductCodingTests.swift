import FoundationEssentials
import JSON
import Products
import ProductsTestSupport
import Testing

@Suite struct ProductCodingTests {
    @Test(arguments: [
        (
            #"""
            {"z":[1.50,null],"dimensions":{"depth":3.0,"width":1,"height":2.25},"category":"kitchen",
            "weight":"0.450","sales":1e2,"price":{"currency":"EUR","amount":19.90},"name":"Mug",
            "description":"A mug","imageURL":"m.png","id":7,"type":"physical","a":{"big":9007199254740993}}
            """#,
            #"""
            {"type":"physical","id":"7","name":"Mug","price":{"amount":19.9,"currency":"EUR"},"sales":100,\#
            "description":"A mug","imageURL":"m.png","category":"kitchen","weight":0.45,\#
            "dimensions":{"width":1,"height":2.25,"depth":3},"z":[1.50,null],"a":{"big":9007199254740993}}
            """#
        ),
        (
            #"""
            {"type":"digital","id":"b","name":"Book","price":{"amount":"0.1","currency":"USD"},"size":1048576,
            "downloadURL":"https://x/é","weight":1,"description":null}
            """#,
            #"""
            {"type":"digital","id":"b","name":"Book","price":{"amount":0.1,"currency":"USD"},"sales":0,\#
            "downloadURL":"https://x/é","size":1048576,"weight":1}
            """#
        ),
        (
            #"""
            {"perks":[],"trialDays":14.0,"type":"subscription","id":"s","name":"Tea","interval":"month",
            "price":{"amount":1e2,"currency":"JPY"}}
            """#,
            #"""
            {"type":"subscription","id":"s","name":"Tea","price":{"amount":100,"currency":"JPY"},"sales":0,\#
            "interval":"month","trialDays":14,"perks":[]}
            """#
        ),
        (
            #"""
            {"denominations":[25,"50.00",1e2,0.10],"type":"giftCard","id":"g","name":"Card","size":1,
            "price":{"amount":25,"currency":"KWD"}}
            """#,
            #"""
            {"type":"giftCard","id":"g","name":"Card","price":{"amount":25,"currency":"KWD"},"sales":0,\#
            "denominations":[25,50,100,0.1],"size":1}
            """#
        ),
        (
            #"""
            {"x":1,"addOn":{"price":{"currency":"EUR","amount":2.50},"interval":"year","name":"Care","id":9,
            "type":"subscription","z":null,"y":1.0},"products":[{"isPopular":true,"id":"1","name":"Mug",
            "type":"physical","price":{"amount":"0.10","currency":"EUR"}}],"type":"bundle","id":"1","name":"Set",
            "price":{"amount":3,"currency":"EUR"}}
            """#,
            #"""
            {"type":"bundle","id":"1","name":"Set","price":{"amount":3,"currency":"EUR"},"sales":0,\#
            "products":[{"type":"physical","id":"1","name":"Mug","price":{"amount":0.1,"currency":"EUR"},\#
            "sales":0}],"addOn":{"type":"subscription","id":"9","name":"Care",\#
            "price":{"amount":2.5,"currency":"EUR"},"sales":0,"interval":"year","z":null,"y":1.0},"x":1}
            """#
        ),
    ])
    func `writes back the members of its kind in canonical order, and the unknown ones unchanged after them`(
        text: String, canonical: String
    ) throws {
        let product = try decodeProducts("[\(text)]")[0]
        #expect(try encode(product) == canonical)
        #expect(try encode(try decodeProducts("[\(canonical)]")[0]) == canonical)
    }

    @Test(arguments: ProductKind.allCases)
    func `a product is of the type that its discriminator names, and says so`(kind: ProductKind) throws {
        let own = #","interval":"month","products":[],"denominations":[]"#
        let product = try decodeProduct(kind.rawValue, own)
        #expect(type(of: product) == kind.type)
        #expect(product.typeName == kind.rawValue)
        #expect(try encode(product).hasPrefix(#"{"type":"\#(kind.rawValue)","id":"1","#))
        let variant: any Product =
            switch product.variant {
            case .physical(let product): product
            case .digital(let product): product
            case .subscription(let product): product
            case .bundle(let product): product
            case .giftCard(let product): product
            case .kept(let product): product
            }
        #expect(type(of: variant) == kind.type)
    }

    @Test func `the members of its kind are read to the digit`() throws {
        let subscription = try decodeProduct("subscription", #","interval":"month","trialDays":7"#)
        #expect((subscription as? SubscriptionProduct)?.interval == "month")
        #expect((subscription as? SubscriptionProduct)?.trialDays == 7)
        let card = try #require(try decodeProduct("giftCard", #","denominations":["19.99",5]"#) as? GiftCardProduct)
        #expect(card.denominations == [Decimal(1999) / 100, 5])
        #expect(GiftCardProduct(details: card.details, denominations: card.denominations) == card)
    }

    @Test func `what an upstream says of popularity is neither kept nor written`() throws {
        let product = try decodeProduct("physical", #","isPopular":true,"colour":"red""#)
        #expect(product.attributes.keys == ["colour"])
        let forged = makeProduct(attributes: ["id": "2", "isPopular": true, "weight": 3, "x": 1])
        #expect(
            try encode(forged)
                == #"{"type":"physical","id":"1","name":"Mug","price":{"amount":19.9,"currency":"EUR"},"sales":0,"#
                + #""x":1}"#
        )
    }
}
