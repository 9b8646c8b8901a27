@testable internal import ConfigDrafting
internal import Configuration
internal import Decoding
internal import JSON
internal import Networking
internal import Products
internal import Service
internal import Testing
internal import Wiring

struct ConfigDraftTests {
    private static func draft(
        _ body: String, _ settings: [String] = [], headers: [HTTPHeader] = [],
        url: String = "https://shop.example/items"
    ) throws -> ConfigDraft {
        var stated = DraftSettings()
        for text in settings { try stated.add(text) }
        return try ConfigDraft(
            Array(body.utf8), headers: HTTPHeaders(headers), from: DraftSource(url, headers: []), stated)
    }

    /// Reads a document by the config that is drafted for it.
    private static func products(_ body: String, _ settings: [String] = []) throws -> [any Product] {
        let text = try draft(body, settings).text
        let loaded = try LoadedConfiguration.check(ConfigDocument.parse(text, file: "f", environment: [:]))
        let decoder = try #require(loaded.root.outline.all.compactMap(\.decoder).first)
        return Array(try decoder.decode(Array(body.utf8), knowing: nil).products)
    }

    private static func question(_ body: String, _ settings: [String] = []) -> DraftQuestion? {
        let problem = #expect(throws: DraftProblem.self) { try draft(body, settings) }
        guard case .question(let question) = problem else { return nil }
        return question
    }

    private static func failure(_ body: String, _ settings: [String] = []) -> String {
        let problem = #expect(throws: DraftProblem.self) { try draft(body, settings) }
        guard case .failure(let text) = problem else { return "" }
        return text
    }

    /// A text whose lines are joined.
    private static func flat(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func prices(_ body: String, _ settings: [String] = []) throws -> [String] {
        try products(body, settings).map { "\($0.price.amount) \($0.price.currency)" }
    }

    @Test func `a form that is not known is read by the names of its members`() throws {
        let body = """
            {"products":[{"sku":"A-1","title":{"de":"Tee","en":"Tea"},"price_cents":499,"currency":"eur",
            "categories":[{"title":"Food"},{"title":"New"}],"pictures":[{"url":"/a.jpg"}],"type":"simple","weight":"1 kg",
            "sales":{"week":3},"longDescription":"hot"}]}
            """
        let product = try #require(Self.products(body).first)
        #expect(product.id == "A-1" && product.name == "Tea" && product is PhysicalProduct)
        #expect("\(product.price.amount)" == "4.99" && product.price.currency == "EUR")
        #expect(product.category?.json == .array(["Food", "New"]))
        #expect(product.imageURL == "https://shop.example/a.jpg")
        #expect(product.description == "hot")
        #expect(product.attributes["item_type"] == "simple" && product.attributes["item_weight"] == "1 kg")
        #expect(product.attributes["item_sales"] != nil)
        #expect(try Self.products(body, ["language=de"]).first?.name == "Tee")
    }

    @Test func `several members that may be the price are a question with each of them`() throws {
        let body = #"[{"id":1,"name":"a","price":19.5,"sale_price":17.5,"compare_at_price":30,"currency":"EUR"}]"#
        let question = try #require(Self.question(body))
        #expect(question.setting == "price.amount")
        #expect(question.choices.map(\.value) == ["price", "sale_price"])
        #expect(question.description.contains("--set 'price.amount=sale_price'  17.5"))
        #expect(question.value(of: "2") == "sale_price" && question.value(of: "x.y") == "x.y")
        #expect(try Self.prices(body, ["price.amount=sale_price"]) == ["17.5 EUR"])
        let rare = #"""
            [{"id":1,"name":"a","price":19.5,"currency":"EUR"},{"id":2,"name":"b","price":"on request","currency":"EUR"},
            {"id":3,"name":"c","price":9.5,"discount_price":8.5,"currency":"EUR"}]
            """#
        #expect(Self.question(rare)?.choices.map(\.value) == ["price", "discount_price"])
    }

    @Test func `whole amounts are in minor units or not only where something says so`() throws {
        let plain =
            #"[{"id":1,"name":"a","price":1999,"currency":"EUR"},{"id":2,"name":"b","price":2500,"currency":"EUR"}]"#
        #expect(Self.question(plain)?.setting == "price.scale")
        #expect(Self.question(plain.replacing("2500", with: #""on request""#))?.setting == "price.scale")
        #expect(try Self.prices(plain, ["price.scale=decimal"]) == ["1999 EUR", "2500 EUR"])
        #expect(try Self.prices(plain, ["price.scale=currency"]) == ["19.99 EUR", "25 EUR"])
        #expect(try Self.prices(plain, ["price.scale=3"]) == ["1.999 EUR", "2.5 EUR"])
        #expect(Self.failure(plain, ["price.scale=cents"]).contains("price.scale is decimal"))
        #expect(
            try Self.prices(#"[{"id":1,"name":"a","price":{"amount":1999,"fractionDigits":3,"currency":"KWD"}}]"#) == [
                "1.999 KWD"
            ])
        #expect(try Self.prices(#"{"currency":"JPY","items":[{"id":1,"name":"a","price":1999}]}"#) == ["1999 JPY"])
        #expect(Self.question(#"[{"id":1,"name":"a","price_cents":19.99,"currency":"EUR"}]"#)?.setting == "price.scale")
    }

    @Test func `several currencies are a question, and choose the elements of one`() throws {
        let body = """
            [{"id":1,"name":"a","prices":[{"currency":"EUR","amount":"1.50"},{"currency":"USD","amount":"1.80"}]}]
            """
        #expect(Self.question(body)?.choices.map(\.value) == ["EUR", "USD"])
        #expect(try Self.prices(body, ["price.currency=USD"]) == ["1.8 USD"])
        #expect(Self.failure(body, ["price.currency=GBP"]) == "there is no price in GBP; there are EUR and USD")
        let groups = """
            [{"id":1,"name":"a","prices":[{"currency":"EUR","amount":1.2,"group":"vip"},{"currency":"EUR","amount":1.5},
            {"currency":"USD","amount":1.8}]}]
            """
        let question = try #require(Self.question(groups, ["price.currency=EUR"]))
        #expect(question.choices.map(\.value) == ["prices[currency=EUR][!group].amount"])
        #expect(try Self.prices(groups, ["price.amount=\(question.choices[0].value)"]) == ["1.5 EUR"])
        #expect(Self.question(#"[{"id":1,"name":"a","price":1.5}]"#)?.setting == "price.currency")
    }

    @Test func `an amount with its currency in one text gives both`() throws {
        #expect(try Self.prices(#"[{"id":1,"name":"a","price":"1.300,50 EUR"}]"#) == ["1300.5 EUR"])
        let open = #"[{"id":1,"name":"a","price":"1.300 EUR"},{"id":2,"name":"b","price":"7,50 EUR"}]"#
        #expect(Self.question(open)?.setting == "price.form")
        #expect(try Self.prices(open, ["price.form=1.234,56"]) == ["1300 EUR", "7.5 EUR"])
    }

    @Test(arguments: [
        ("csv", "\u{FEFF}id;name;price;currency\r\n1;Jam;19,99 EUR;x\r\n", "format: csv\n    delimiter: \";\""),
        ("tsv", "id\tname\tprice\n1\tJam\t19.99 EUR\n", "format: tsv"),
        ("csv", "id,name,price\n1,\"Jam, red\",19.99 EUR\n", "format: csv\n    type"),
        (
            "jsonl",
            #"{"id":1,"name":"Jam","price":"19.99 EUR"}"# + "\n" + #"{"id":2,"name":"Tea","price":"19.99 EUR"}"#,
            "format: jsonl"
        ),
        (
            "xml",
            "<?xml version=\"1.0\"?><!-- <item> --><shop><item><id>1</id><name>Jam</name><price>19.99 EUR</price></item></shop>",
            "format: xml\n    items: shop.item"
        ),
        (
            "xml",
            "<c><p n=\"a\"><id>1</id><name>Jam</name><price>19.99 EUR</price></p><p><id>2</id><name>T</name><price>19.99 EUR</price></p></c>",
            "format: xml\n    items: c.p"
        ),
    ])
    func `a document that is no JSON is read by its format`(format: String, body: String, lines: String) throws {
        let draft = try Self.draft(body)
        #expect(draft.text.contains("    \(lines)"), "\(draft.text)")
        #expect(try Self.prices(body).first == "19.99 EUR")
        #expect(draft.before.contains("Jam") && draft.after.contains("19.99"))
    }

    @Test func `a feed's sale price counts in its time`() throws {
        let body = """
            id\ttitle\timage_link\tprice\tavailability\tsale_price\tsale_price_effective_date
            1\tJam\thttps://a.example/1.jpg\t9.00 EUR\tin stock\t5.00 EUR\t2001-01-01T00:00Z/2001-02-01T00:00Z
            """
        #expect(try Self.draft(body).form == "a product feed of Google or OpenAI, as a table")
        #expect(try Self.prices(body) == ["9 EUR"])
    }

    @Test func `a list within items whose elements have an id and the price is one of variants`() throws {
        let body = #"""
            {"items":[{"id":1,"name":"Shirt","sizes":[{"sku":"s","title":"Small","price":10.5,"currency":"EUR","quantity":3},
            {"sku":"l","title":"Large","price":9.99,"currency":"EUR","quantity":0}]}]}
            """#
        let draft = try Self.draft(body)
        #expect(
            Self.flat(draft.text).contains(
                "variants: { path: sizes, fields: { price.amount: price, price.currency: currency, name: title, stock: quantity } }"
            ),
            "\(draft.text)")
        #expect(draft.warnings.contains { $0.contains("variants in which a product is sold") })
        let product = try #require(Self.products(body).first)
        #expect("\(product.price.amount) \(product.price.currency)" == "9.99 EUR")
        #expect(product.attributes["variants"]?.array?.first?.object?["name"] == "Small")
        #expect(product.attributes["priceRange"] != nil)
        let minor = body.replacing("10.5", with: "1050").replacing("9.99", with: "999")
        #expect(try Self.prices(minor, ["price.scale=2"]) == ["9.99 EUR"])
    }

    @Test func `of the prices of variants the least counts`() throws {
        let body = """
            {"results":[{"code":"A","name":"a","variants":[{"price":{"value":10.5,"currencyCode":"GBP"}},
            {"price":{"value":9.5,"currencyCode":"GBP"}}]}]}
            """
        #expect(try Self.prices(body) == ["9.5 GBP"])
    }

    @Test func `members that look internal are left out, and named`() throws {
        let body =
            #"[{"id":1,"name":"a","price":1.5,"currency":"EUR","cost_price":1,"sku":"s","stock":{"supplier":"x"}}]"#
        let draft = try Self.draft(body)
        #expect(draft.warnings.contains { $0.contains("\"cost_price\" and \"stock.supplier\"") })
        #expect(draft.text.contains("attributes: [sku, stock]"))
        #expect(draft.text.contains("omit: [stock.supplier]"))
        #expect(try Self.products(body).first?.attributes == ["sku": "s", "stock": .object([:])])
    }

    @Test(arguments: [
        (#""enabled":true"#, #""enabled":true"#, false), (#""enabled":true"#, #""enabled":false"#, true),
        (#""status":"publish""#, #""status":"draft""#, true), (#""deleted":false"#, #""deleted":false"#, false),
        (#""deleted":false"#, #""deleted":true"#, true),
    ])
    func `items that may not be for sale are named, and no others`(one: String, two: String, isNamed: Bool) throws {
        let items = [one, two].enumerated().map { #"{"id":\#($0),"name":"a","price":1.5,"currency":"EUR",\#($1)}"# }
        let draft = try Self.draft("[\(items.joined(separator: ","))]")
        #expect(draft.warnings.contains { $0.hasPrefix("some items have") } == isNamed)
    }

    @Test func `bad items are skipped with a warning where others are good`() throws {
        let body =
            #"[{"id":1,"name":"a","price":1.5,"currency":"EUR"},{"id":2,"name":"b","price":-1,"currency":"EUR"}]"#
        let draft = try Self.draft(body)
        #expect(draft.counts == (2, 1) && draft.text.contains("on_bad_item: skip"))
        #expect(
            draft.warnings.contains {
                $0.hasSuffix(
                    "here 1 of 2; the first: [1].price.amount (theirs: price): -1 is negative; its id is \"2\"")
            })
    }

    @Test(arguments: [
        (#"{"items":ITEMS,"next":"https://shop.example/p2"}"#, "{ type: cursor, next: { path: next } }"),
        (#"{"items":ITEMS,"cursor":"abc"}"#, "{ type: cursor, parameter: cursor, next: { path: cursor } }"),
        (
            #"{"items":ITEMS,"meta":{"total":9,"skip":0,"limit":1}}"#,
            "{ type: offset, offset_parameter: skip, limit_parameter: limit, limit: 1, total: { path: meta.total } }"
        ),
        (#"{"items":ITEMS,"page":1,"total_pages":4}"#, "{ type: page, parameter: page, pages: { path: total_pages } }"),
        (
            #"{"items":ITEMS,"page":0,"limit":1,"total":4}"#,
            "{ type: page, parameter: page, first: 0, size: 1, total: { path: total } }"
        ),
    ])
    func `pages are asked for as the document shows`(form: String, pagination: String) throws {
        let body = form.replacing("ITEMS", with: #"[{"id":1,"name":"a","price":1.5,"currency":"EUR"}]"#)
        #expect(try Self.flat(Self.draft(body).text).contains(" pagination: \(pagination) "))
        #expect(try !Self.draft(body, url: "file:/tmp/document.json").text.contains("pagination"))
    }

    @Test func `pages of headers are seen, and pages that cannot be asked for are a warning`() throws {
        let item = #"{"id":1,"name":"a","price":1.5,"currency":"EUR"}"#
        let linked = try Self.draft("[\(item)]", headers: [HTTPHeader("Link", "<https://a>; rel=\"next\"")])
        #expect(linked.text.contains("pagination: { type: link }"))
        let lost = try Self.draft(#"{"items":[\#(item)],"total":7}"#)
        #expect(lost.warnings.contains { $0.contains("one page of several") })
        #expect(!lost.text.contains("pagination:"))
    }

    @Test func `secrets come from the environment, and parameters of pages from the pagination`() throws {
        let source = try DraftSource(
            "https://shop.example/items?limit=5&api_key=k1&sort=new",
            headers: [
                HTTPHeader("Authorization", "Bearer t1"), HTTPHeader("X-Store", "s1"), HTTPHeader("Accept", "a/b"),
            ])
        let body = #"{"items":[{"id":1,"name":"a","price":1.5,"currency":"EUR"}],"total":9,"offset":0,"limit":5}"#
        let text = try ConfigDraft(Array(body.utf8), from: source, DraftSettings()).text
        for secret in ["k1", "t1", "s1"] { #expect(!text.contains(secret)) }
        #expect(text.contains(#"parameters: { api_key: "${LARDER_UPSTREAM_API_KEY}", sort: new }"#))
        #expect(text.contains(#"headers: { X-Store: "${LARDER_UPSTREAM_X_STORE}", Accept: a/b }"#))
        #expect(text.contains(#"auth: { type: bearer, token: "${LARDER_UPSTREAM_TOKEN}" }"#))
        let variables = Dictionary(uniqueKeysWithValues: source.variables.map { ($0.name, $0.value) })
        #expect(
            variables == [
                "LARDER_UPSTREAM_API_KEY": "k1", "LARDER_UPSTREAM_TOKEN": "t1", "LARDER_UPSTREAM_X_STORE": "s1",
            ])
        _ = try LoadedConfiguration.check(ConfigDocument.parse(text, file: "f", environment: variables))
    }

    @Test func `texts of the upstream cannot break out of the config`() throws {
        let body =
            #"[{"id":1,"name":"a","price":1.5,"currency":"EUR","x\n  y: z":1,"${HOME}":2,"image":{"u}, b: {url":"/a"}}]"#
        let text = try Self.draft(body).text
        #expect(!text.contains("\n  y: z"))
        #expect(try Self.products(body).first?.attributes["${HOME}"] == 2)
    }

    @Test func `a document without a product is a failure that says so`() throws {
        #expect(Self.failure("<html>").hasPrefix("a page of HTML"))
        #expect(
            Self.failure(#"{"products":[]}"#)
                == "the list at \"products\" is empty; a config is drafted from at least one product")
        #expect(Self.failure("[]").hasPrefix("the document is an empty list"))
        #expect(Self.failure(#"{"a":1}"#).hasPrefix("there is no list of objects"))
        #expect(Self.question(#"[{"id":1,"name":"a"}]"#)?.description.contains("no member looks like a price") == true)
        #expect(Self.question(#"[{"name":"a","price":1.5,"currency":"EUR"}]"#)?.setting == "id")
        let shared = #"[{"id":1,"sku":"a","name":"a","price":1.5},{"id":1,"sku":"b","name":"b","price":1.5}]"#
        #expect(try Self.products(shared, ["price.currency=EUR"]).map(\.id) == ["a", "b"])
        #expect(Self.failure("[]", ["price.amuont=x"]).contains("did you mean \"price.amount\"?"))
    }
}
