internal import ConfigDrafting
internal import Configuration
internal import Decoding
internal import JSON
internal import Networking
internal import Products
internal import Service
internal import Testing
internal import Wiring

/// A config that is drafted for a document of a form that is not known.
struct DraftedShop {
    let draft: ConfigDraft
    let products: [any Product]

    init(
        _ body: String, _ settings: [String] = [], headers: [HTTPHeader] = [], isPartial: Bool = false,
        url: String = "https://shop.example/items"
    ) throws {
        var stated = DraftSettings()
        for text in settings { try stated.add(text) }
        draft = try ConfigDraft(
            Array(body.utf8), headers: HTTPHeaders(headers), isPartial: isPartial, from: DraftSource(url, headers: []),
            stated)
        let loaded = try LoadedConfiguration.check(ConfigDocument.parse(draft.text, file: "f", environment: [:]))
        let decoder = try #require(loaded.root.outline.all.compactMap(\.decoder).first)
        products = Array(try decoder.decode(Array(body.utf8), knowing: nil).products)
    }

    /// The config, with single spaces.
    var text: String { draft.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    var prices: [String] { products.map { "\($0.price.amount) \($0.price.currency)" } }

    static func question(_ body: String, _ settings: [String] = []) -> DraftQuestion? {
        let problem = #expect(throws: DraftProblem.self) { try DraftedShop(body, settings) }
        guard case .question(let question) = problem else { return nil }
        return question
    }

    static func failure(_ body: String, _ settings: [String] = []) -> String {
        "\(#expect(throws: DraftProblem.self) { try DraftedShop(body, settings) }, default: "none")"
    }
}

/// Prices of 0, and totals that are more than what came.
struct UnknownShopTests {
    private static let sellers = #"""
        [{"id":1,"name":"a","items":[{"sellers":[{"offer":{"price":3.5,"sold":true,"error":null}},
        {"offer":{"price":0,"sold":SOLD,"error":"CannotBeDelivered"}}]}]},
        {"id":2,"name":"b","items":[{"sellers":[{"offer":{"price":2.5,"sold":true,"error":null}}]}]}]
        """#
    private static let currency = "price.currency=USD"

    @Test func `prices of 0 beside others are left out by what tells them apart`() throws {
        let told = try DraftedShop(Self.sellers.replacing("SOLD", with: "false"), [Self.currency])
        #expect(told.prices == ["3.5 USD", "2.5 USD"])
        #expect(told.text.contains(#"path: "items.*.sellers[offer.sold=true].offer.price", pick: min"#), "\(told.text)")
        #expect(told.draft.warnings.contains { $0.contains("has prices of 0, which [offer.sold=true] leaves out") })
        let byError = try DraftedShop(Self.sellers.replacing("SOLD", with: "true"), [Self.currency])
        #expect(byError.prices == ["3.5 USD", "2.5 USD"])
        #expect(byError.text.contains(#""items.*.sellers[!offer.error].offer.price""#), "\(byError.text)")
    }

    @Test func `prices of 0 beside others that nothing tells apart are bad`() throws {
        let body = #"[{"id":1,"name":"a","p":[{"price":3.5},{"price":0}]},{"id":2,"name":"b","p":[{"price":2.5}]}]"#
        let shop = try DraftedShop(body, [Self.currency])
        #expect(shop.prices == ["2.5 USD"])
        #expect(shop.text.contains("minimum_price: 0.01"))
        #expect(shop.draft.warnings.contains { $0.contains(#""p.*.price" has prices of 0, which "minimum_price""#) })
        let one = #"[{"id":1,"name":"a","p":[{"price":3.5},{"price":0}]}]"#
        #expect(DraftedShop.failure(one, [Self.currency]).contains(#"0 is below "minimum_price""#))
    }

    @Test func `candidates for the price that are 0 are named, and none where another is not`() throws {
        let body = #"[{"id":1,"name":"a","p":[{"price":3.5},{"price":0}],"sale_price":2.5}]"#
        let question = try #require(DraftedShop.question(body, [Self.currency]))
        #expect(question.choices.map(\.meaning) == ["3.5, 0; the least is 0 in 1 of 1 items", "2.5"])
        let zero =
            #"[{"id":1,"name":"a","price":3.5,"sale_price":0},{"id":2,"name":"b","price":4.5,"sale_price":"0.00"}]"#
        #expect(try DraftedShop(zero, [Self.currency]).prices == ["3.5 USD", "4.5 USD"])
    }

    @Test func `products that cost nothing are a warning where they are half or more`() throws {
        let body = #"[{"id":1,"name":"a","price":0},{"id":2,"name":"b","price":0.5},{"id":3,"name":"c","price":2.5}]"#
        #expect(try DraftedShop(body, [Self.currency]).draft.warnings.isEmpty)
        let half = try DraftedShop(body.replacing(#""price":0.5"#, with: #""price":0.0"#), [Self.currency])
        #expect(half.draft.warnings == ["2 of 3 products cost 0 (price); is that the price that customers pay?"])
    }

    @Test func `a member deep inside that looks internal is left out alone`() throws {
        let body = #"""
            [{"id":1,"name":"a","price":2.5,"items":[{"sku":"s","offer":{"BuyTogether":1,"buy_price":1,"stock":4}}],
            "meta":{"a.cost":1,"x":2}}]
            """#
        let shop = try DraftedShop(body, [Self.currency, "price.amount=price"])
        #expect(
            shop.products.first?.attributes["items"]?.description
                == #"[{"sku":"s","offer":{"BuyTogether":1,"stock":4}}]"#)
        #expect(shop.text.contains("attributes: [items] omit: [items.*.offer.buy_price]"), "\(shop.text)")
        #expect(shop.draft.warnings.contains { $0.contains(#""items.*.offer.buy_price" and "meta.a.cost""#) })
    }

    private static let combinations = #"""
        [{"id":1,"name":"a","price":2.5,"related":[{"id":8,"price":4}],
        "combinations":[{"id":3,"price":2.5,"quantity":4,"color":"red"},{"id":4,"price":PRICE,"quantity":0}]},
        {"id":2,"name":"b","price":1.5,"combinations":[]}]
        """#

    @Test func `a list of variants beside the price is read, and another list with prices is named`() throws {
        let shop = try DraftedShop(
            Self.combinations.replacing("PRICE", with: "3.5"), [Self.currency, "price.amount=price"])
        #expect(shop.prices == ["2.5 USD", "1.5 USD"])
        #expect(
            shop.text.contains("variants: { path: combinations, fields: { price.amount: price, stock: quantity } }"))
        let variants = shop.products.first?.attributes["variants"]?.array ?? []
        #expect(variants.map { $0.object?["price"]?.object?["amount"]?.description } == ["2.5", "3.5"])
        #expect(variants.first?.object?["color"] == "red")
        #expect(
            shop.draft.warnings.contains(
                "\"related\" looks like variants; without \"variants\" no price in it is examined"))
        #expect(
            shop.draft.warnings.contains { $0.hasPrefix("the elements of \"combinations\" are taken for the variants") }
        )
    }

    @Test func `a negative price of a variant makes the product bad`() throws {
        let shop = try DraftedShop(
            Self.combinations.replacing("PRICE", with: "-1"), [Self.currency, "price.amount=price"])
        #expect(shop.prices == ["1.5 USD"])
        #expect(shop.draft.warnings.contains { $0.contains("[0].variants[1].price.amount: -1 is negative") })
    }

    @Test(arguments: ["250", "\"on request\""])
    func `a list that cannot be read as variants, or in another unit, is named and left as it is`(price: String) throws
    {
        let shop = try DraftedShop(
            Self.combinations.replacing("PRICE", with: price), [Self.currency, "price.amount=price"])
        #expect(shop.prices == ["2.5 USD", "1.5 USD"] && shop.products.first?.attributes["combinations"] != nil)
        #expect(!shop.text.contains("variants: {"))
        #expect(shop.draft.warnings.contains { $0.hasPrefix("\"combinations\" looks like variants") })
    }

    private static let coded = #"""
        [{"id":1,"name":"a","price":2.5,"prices":[{"currency":{"code":"EUR","symbol":"€"}}]},
        {"id":2,"name":"b","price":1.5,"prices":[{"currency":{"code":"EUR"}},{"currency":{"code":"CODE"}}]}]
        """#

    @Test func `the only code of a currency in each item is taken`() throws {
        #expect(try DraftedShop(Self.coded.replacing("CODE", with: "EUR")).prices == ["2.5 EUR", "1.5 EUR"])
        let several = try #require(DraftedShop.question(Self.coded.replacing("CODE", with: "CHF")))
        #expect(several.choices.map(\.value) == ["CHF", "EUR"])
    }

    @Test func `a question for the currency names the places of codes, and how to name one`() throws {
        let named = try #require(DraftedShop.question(#"[{"id":1,"name":"a","price":2.5,"iso":"CHF"}]"#))
        #expect(named.choices.map(\.value) == ["iso"])
        let bare = try #require(DraftedShop.question(#"[{"id":1,"name":"a","price":2.5}]"#))
        #expect(bare.description.hasSuffix("--set price.currency=EUR, or name its path: --set price.currency=PATH"))
    }

    @Test func `a price that is empty everywhere is a failure, and no question`() {
        #expect(
            DraftedShop.failure(#"[{"id":1,"name":"a","price":""}]"#, [Self.currency, "price.amount=price"])
                == "the price at \"price\" is empty in every item")
    }

    @Test(arguments: [
        (#""images":[{"externalUrlSmall":"https://a/s.jpg","externalUrlLarge":"https://a/l.jpg"}]"#, "https://a/l.jpg"),
        (#""image":{"alt":"x. y","disBaseLink":"https://a/d.jpg"}"#, "https://a/d.jpg"),
        (#""items":[{"images":[{"imageUrl":"https://a/i.jpg"}]}]"#, "https://a/i.jpg"),
    ])
    func `an image is found by the names that other shops have for its URL`(members: String, url: String) throws {
        let shop = try DraftedShop(#"[{"id":1,"name":"a","price":2.5,\#(members)}]"#, [Self.currency])
        #expect(shop.products.first?.imageURL == url)
    }

    @Test func `categories that are not enabled are named`() throws {
        let body = #"[{"id":1,"name":"a","price":2.5,"categories":[{"id":4,"enabled":true},{"id":5,"enabled":false}]}]"#
        let shop = try DraftedShop(body, [Self.currency])
        #expect(
            shop.draft.warnings == [
                "some categories have \"enabled\": false; \"categories.*[enabled=true]\" leaves them out"
            ])
    }

    private static let item = #"{"id":1,"name":"a","price":1.5,"currency":"EUR"}"#

    @Test(arguments: [
        (
            #"{"items":[ITEM],"next":"https://shop.example/p2","numFound":3}"#,
            "next: { path: next }, total: { path: numFound }"
        ),
        (
            #"{"items":[ITEM],"next":"https://shop.example/p2","count":3}"#,
            "next: { path: next }, total: { path: count }"
        ),
        (#"{"items":[ITEM],"next":"https://shop.example/p2","count":1,"total":1}"#, "next: { path: next } }"),
        (#"{"items":[ITEM],"cursor":"c","meta":{"total":3}}"#, "next: { path: cursor }, total: { path: meta.total }"),
    ])
    func `the total of a document with cursors is read, unless it may be of the page`(form: String, written: String)
        throws
    {
        let shop = try DraftedShop(form.replacing("ITEM", with: Self.item))
        #expect(shop.text.contains(written), "\(shop.text)")
    }

    @Test func `the total of a header is read`() throws {
        let link = HTTPHeader("Link", "<https://a>; rel=\"next\"")
        let linked = try DraftedShop("[\(Self.item)]", headers: [link, HTTPHeader("X-Total-Count", "3")])
        #expect(linked.text.contains("pagination: { type: link, total: { header: X-Total-Count } }"))
        for text in ["resources 0-0/3", "0-0/3", "items */3"] {
            let ranged = try DraftedShop("[\(Self.item)]", headers: [link, HTTPHeader("Content-Range", text)])
            #expect(ranged.text.contains("total: { header: Content-Range }"))
        }
        let lost = try DraftedShop("[\(Self.item)]", headers: [HTTPHeader("resources", "0-0/3")])
        #expect(lost.draft.warnings.contains { $0.contains("one page of several, by \"header Resources: 3\"") })
        #expect(try DraftedShop("[\(Self.item)]", headers: [HTTPHeader("resources", "0-0/1")]).draft.warnings.isEmpty)
    }

    @Test func `a page of an unknown number is named`() throws {
        let lost = try DraftedShop(#"{"items":[\#(Self.item)],"page":1,"seiten":3,"anzahl":50}"#)
        #expect(lost.draft.warnings.contains { $0.contains("one page of several, by \"page: number 1\"") })
        let only = try DraftedShop(#"{"items":[\#(Self.item)],"page":1,"total":1}"#)
        #expect(!only.draft.warnings.contains { $0.contains("one page") })
    }

    @Test func `a part of a list is read, and named`() throws {
        let lost = try DraftedShop("[\(Self.item)]", isPartial: true)
        #expect(
            lost.draft.warnings == [
                "the upstream answers by status 206 to a part of its list, which is refused without pagination"
            ])
        let paged = try DraftedShop(#"{"items":[\#(Self.item)],"cursor":"c"}"#, isPartial: true)
        #expect(
            paged.draft.warnings == [
                "the upstream answers by status 206 to a part of its list, which pagination reads as parts"
            ])
    }
}
