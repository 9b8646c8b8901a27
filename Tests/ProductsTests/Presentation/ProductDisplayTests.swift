import Testing

@testable import Products
import ProductsTestSupport

struct ProductDisplayTests {
    private static let described = #","description":"Good.","imageURL":"https://x/1.png","category":"kitchen""#

    /// Checks the JSON of what is shown after `id` and `type`.
    private func expect(
        _ type: String, _ members: String, _ shown: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let bytes = try displayed("[\(item(type, members))]").array.list
        #expect(
            String(decoding: bytes, as: UTF8.self) == #"[{"id":"1","type":"\#(type)",\#(shown)}]"#,
            sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        ("", #""title":"Mug","priceLabel":"1.00 EUR","selectable":true"#),
        (
            described + #","sales":100"#,
            #""title":"Mug","subtitle":"kitchen","priceLabel":"1.00 EUR","image":"https://x/1.png","#
                + #""summary":"Good.","selectable":true"#
        ),
        (
            #","weight":0.450,"category":"kitchen","sales":101"#,
            #""title":"Mug","subtitle":"kitchen · weight 0.45","priceLabel":"1.00 EUR","badge":"Popular","#
                + #""selectable":true"#
        ),
        (
            #","weight":1e2,"dimensions":{"width":1,"height":2.250,"depth":3},"imageURL":"""#,
            #""title":"Mug","subtitle":"weight 100","priceLabel":"1.00 EUR","#
                + #""summary":"1 wide, 2.25 high, 3 deep","selectable":true"#
        ),
    ])
    func `physical: weight and dimensions`(members: String, shown: String) throws {
        try expect("physical", members, shown)
    }

    @Test(arguments: [
        (
            #","downloadURL":"https://x/secret","size":1048576"#,
            #""title":"Mug","subtitle":"1 MiB","priceLabel":"1.00 EUR","badge":"Download","selectable":true"#
        ),
        (
            described + #","size":1536"#,
            #""title":"Mug","subtitle":"kitchen · 1.5 KiB","priceLabel":"1.00 EUR","image":"https://x/1.png","#
                + #""badge":"Download","summary":"Good.","selectable":true"#
        ),
        (#","sales":101"#, #""title":"Mug","priceLabel":"1.00 EUR","badge":"Popular","selectable":true"#),
    ])
    func `digital: the size of the download, and never where it is`(members: String, shown: String) throws {
        try expect("digital", members, shown)
    }

    @Test(arguments: [
        (#","interval":"month""#, #""title":"Mug","priceLabel":"1.00 EUR / month","selectable":true"#),
        (
            #","interval":"3 months","trialDays":14,"category":"news""#,
            #""title":"Mug","subtitle":"news · first 14 days free","priceLabel":"1.00 EUR / 3 months","#
                + #""badge":"Free trial","selectable":true"#
        ),
        (
            #","interval":"year","trialDays":1,"sales":101"#,
            #""title":"Mug","subtitle":"first day free","priceLabel":"1.00 EUR / year","badge":"Popular","#
                + #""selectable":true"#
        ),
        (#","interval":"year","trialDays":0"#, #""title":"Mug","priceLabel":"1.00 EUR / year","selectable":true"#),
    ])
    func `subscription: the price of an interval, and the trial`(members: String, shown: String) throws {
        try expect("subscription", members, shown)
    }

    private static let pair = item("bundle", #","products":[\#(item("digital")),\#(item("physical"))]"#)

    @Test(arguments: [
        (
            #","products":[\#(item("digital"))],"description":"Good.""#,
            #""title":"Mug","priceLabel":"1.00 EUR","badge":"Bundle","summary":"1 product: Mug","selectable":true"#
        ),
        (
            #","products":[\#(item("digital")),\#(pair)],"addOn":\#(pair),"category":"sets""#,
            #""title":"Mug","subtitle":"sets · with Mug for more","priceLabel":"1.00 EUR","badge":"Bundle","#
                + #""summary":"3 products: Mug, Mug, Mug","selectable":true"#
        ),
        (
            #","products":[\#(pair),\#(pair),\#(item("voucher"))],"sales":101"#,
            #""title":"Mug","priceLabel":"1.00 EUR","badge":"Popular","#
                + #""summary":"5 products: Mug, Mug, Mug and 2 more","selectable":true"#
        ),
        (
            #","products":[],"description":"Soon.""#,
            #""title":"Mug","priceLabel":"1.00 EUR","badge":"Bundle","summary":"Soon.","selectable":false"#
        ),
    ])
    func `bundle: how many products are in it and which, those of bundles within it too`(members: String, shown: String)
        throws
    {
        try expect("bundle", members, shown)
    }

    @Test(arguments: [
        (
            #","denominations":[50,10,25.5,50.0]"#,
            #""title":"Mug","priceLabel":"10.00 – 50.00 EUR","badge":"Gift card","#
                + #""summary":"10.00 EUR, 25.50 EUR, 50.00 EUR","selectable":false"#
        ),
        (
            #","denominations":[10,20],"description":"Good.","sales":101"#,
            #""title":"Mug","priceLabel":"10.00 – 20.00 EUR","badge":"Popular","summary":"Good.","#
                + #""selectable":false"#
        ),
        (
            #","denominations":["25"]"#,
            #""title":"Mug","priceLabel":"25.00 EUR","badge":"Gift card","summary":"25.00 EUR","selectable":true"#
        ),
        (#","denominations":[]"#, #""title":"Mug","priceLabel":"1.00 EUR","badge":"Gift card","selectable":true"#),
    ])
    func `gift card: the amounts, one of which must be chosen`(members: String, shown: String) throws {
        try expect("giftCard", members, shown)
    }

    @Test(arguments: [
        (#","weight":3"#, #""title":"Mug","subtitle":"voucher","priceLabel":"1.00 EUR","selectable":false"#),
        (
            described + #","sales":101"#,
            #""title":"Mug","subtitle":"kitchen","priceLabel":"1.00 EUR","image":"https://x/1.png","#
                + #""badge":"Popular","summary":"Good.","selectable":false"#
        ),
    ])
    func `a kind that is not known: what all products have, and no more`(members: String, shown: String) throws {
        try expect("voucher", members, shown)
    }
}
