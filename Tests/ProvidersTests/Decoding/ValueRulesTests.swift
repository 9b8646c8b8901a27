internal import FoundationEssentials
internal import JSON
internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Decoding

/// The members of a mapping that choose among values, and change them.
struct ValueRulesTests {
    @Test func `a price whose text names another currency than the item's is bad`() throws {
        let mapping =
            "{ type: physical, fields: { price.amount: { path: p, form: money } }, constants: { price.currency: EUR } }"
        for text in ["12.50 EUR", "12.50", "€ 12.50"] {
            #expect(try mappedProblem(#"[{"id":1,"name":"Cup","p":"\#(text)"}]"#, mapping) == nil)
        }
        for text in ["12.50 USD", "£12.50", "12.50 $", "10US$", "2 000Ft", "R5", "5 kr", "Fr. 5"] {
            #expect(
                try mappedProblem(#"[{"id":1,"name":"Cup","p":"\#(text)"}]"#, mapping)
                    == "[0].price.amount (theirs: p): expected an amount in EUR, found string \"\(text)\"")
        }
    }

    @Test func `a space stands between thousands, and never before minor digits`() throws {
        let mapping =
            "{ type: physical, fields: { price.amount: { path: p, form: money } }, constants: { price.currency: EUR } }"
        #expect(try mappedProblem(#"[{"id":1,"name":"Cup","p":"1.234 567 EUR"}]"#, mapping) != nil)
        let product = try #require(decodeMapped(#"[{"id":1,"name":"Cup","p":"1 234.56 EUR"}]"#, mapping).products.first)
        #expect("\(product.price.amount)" == "1234.56")
    }

    private static let item = #"""
        "id":"gid://shop/Product/7","t":"Mug","cur":"eur","kind":"Home > Kitchen >  > Mugs","words":["S","XL"],
        "prices":[{"cur":"usd","cents":1500,"n":"15.00"},{"cur":"eur","cents":1299,"n":"12.99"},{"cur":"eur","cents":990,"n":""}],
        "pictures":["/a.png","https://cdn.example/b.png","//cdn.example/c.png",null],"status":3
        """#

    private func product(_ field: String) throws -> any Product {
        let defaults = [
            "id: { path: id, last_segment: true }", "name: t", "price.amount: prices.0.cents", "price.currency: cur",
        ]
        let name = field.prefix { $0 != ":" }
        let all = defaults.filter { !$0.hasPrefix("\(name):") } + [field]
        let mapping = "{ type: physical, fields: { \(all.joined(separator: ", ")) } }"
        return try #require(try decodeMapped("[{\(Self.item)}]", mapping).products.first)
    }

    @Test(arguments: [
        ("price.amount: { path: prices.*.cents, pick: min, scale: currency }", "9.9 EUR"),
        ("price.amount: { path: \"prices[cur=eur].n\" }", "12.99 EUR"),
        ("price.amount: { path: prices.*.n, pick: last }", "12.99 EUR"),
        ("price.amount: { path: prices.*.cents, pick: max, scale: 2 }", "15 EUR"),
        ("price.amount: { path: prices.*.cents, pick: last, scale: currency }", "9.9 EUR"),
        ("price.amount: { path: \"prices[cur=eur].cents\", scale: currency }", "12.99 EUR"),
        ("price.amount: { path: prices.*.n, pick: min }", "12.99 EUR"),
        ("price.currency: { path: t, words: { Mug: GBP } }", "1500 GBP"),
    ])
    func `a price is the one that is chosen, in the units of its currency`(field: String, price: String) throws {
        let product = try product(field)
        #expect("\(product.price.amount) \(product.price.currency)" == price)
    }

    @Test(arguments: [
        ("id: { path: id, last_segment: true }", "7"), ("id: { path: status, words: { 3: three } }", "three"),
        ("id: { path: id, words: { \"gid://shop/Product/7\": seven } }", "seven"),
    ])
    func `a text is cut, replaced and joined`(field: String, id: String) throws {
        #expect(try product(field).id == id)
    }

    @Test(arguments: [
        ("name: { path: words.*, join: \"-\" }", "S-XL"), ("name: { path: kind, split: \">\", pick: last }", "Mugs"),
        ("name: { path: \"prices[cur=eur].cur\" }", "eur"), ("name: { path: words.*, pick: last }", "XL"),
        ("name: { path: id, last_segment: true }", "7"),
    ])
    func `one text comes of several`(field: String, name: String) throws {
        #expect(try product(field).name == name)
    }

    @Test func `a prefix makes relative URLs absolute, and no others`() throws {
        let prefix = "prefix: \"https://shop.example\""
        #expect(try product("imageURL: { path: pictures.0, \(prefix) }").imageURL == "https://shop.example/a.png")
        #expect(try product("imageURL: { path: pictures.1, \(prefix) }").imageURL == "https://cdn.example/b.png")
        let all = try product("images: { path: pictures.*, \(prefix) }").attributes["images"]
        #expect(
            all?.description
                == #"["https://shop.example/a.png","https://cdn.example/b.png","//cdn.example/c.png"]"#)
    }

    @Test func `categories are all that a path leads to`() throws {
        #expect(try product("category: { path: kind, split: \">\" }").category?.titles == ["Home", "Kitchen", "Mugs"])
        #expect(try product("category: words.*").category?.json.description == #"["S","XL"]"#)
        #expect(try product("category: \"prices[cur=gbp].n\"").category == nil)
    }

    @Test(arguments: [
        ("price.amount: status, price.currency: t", "expected a currency of ISO 4217, like EUR, found string \"Mug\""),
        ("price.currency: cur, price.amount: { path: words.*, pick: min }", "expected a number, found string \"S\""),
        (
            "price.amount: { path: prices.*.n, pick: min }, price.currency: { path: prices.*.cur, pick: first }",
            "expected one currency"
        ),
        (
            "price.currency: cur, price.amount: status, category: { path: prices.*, join: x }",
            "[0].category (theirs: prices.*): expected a text to join, found an object"
        ),
        (
            "price.amount: { path: status, scale: currency }, price.currency: { path: prices.*.cur, pick: first }",
            "no currency to scale by at price.currency: expected one currency, beside string \"USD\", found string \"EUR\""
        ),
        (
            "price.currency: nothing, price.amount: { path: status, scale: currency }",
            "[0].price.amount (theirs: status): expected a currency to scale by at price.currency, found nothing"
        ),
    ])
    func `what cannot be a price is refused with what was found`(fields: String, problem: String) throws {
        let mapping = "{ type: physical, fields: { name: t, \(fields) } }"
        #expect(try mappedProblem("[{\(Self.item)}]", mapping)?.contains(problem) == true)
    }

    @Test(arguments: [("eur", "EUR"), ("EUR", "EUR"), ("€", "EUR"), ("zł", "PLN"), ("jpy", "JPY")])
    func `a currency is written in capitals`(written: String, code: String) throws {
        let mapping = "{ type: physical, fields: { price.currency: c, price.amount: { path: n, scale: currency } } }"
        let text = #"[{"id":1,"name":"Mug","c":"\#(written)","n":1500}]"#
        let price = try #require(try decodeMapped(text, mapping).products.first).price
        #expect("\(price.amount) \(price.currency)" == (code == "JPY" ? "1500 JPY" : "15 \(code)"))
    }
}

struct MoneyFormTests {
    private func price(_ text: String, form: String = "money") throws -> String {
        let mapping = """
            { type: physical, fields: { price.amount: { path: p, form: "\(form)" }, \
            price.currency: { path: p, form: "\(form)" } } }
            """
        let item = JSONValue.object(["id": "1", "name": "x", "p": .string(text)])
        let price = try #require(try decodeMapped("[\(item)]", mapping).products.first).price
        return "\(price.amount) \(price.currency)"
    }

    @Test(arguments: [
        ("105.29 USD", "105.29 USD"), ("USD 105.29", "105.29 USD"), ("1.234,56 €", "1234.56 EUR"),
        ("€1,234.56", "1234.56 EUR"),
        ("1 234,50 zł", "1234.5 PLN"), ("1'234.5 CHF", "1234.5 CHF"), ("15 JPY", "15 JPY"),
        ("1,234,567 KRW", "1234567 KRW"),
        ("-3.5 EUR", "-3.5 EUR"), ("0 EUR", "0 EUR"), ("12,5 EUR", "12.5 EUR"), ("1.234.567,8 eur", "1234567.8 EUR"),
        ("£9.", "9 GBP"), ("12,- EUR", "12 EUR"), ("EUR 1.234,--", "1234 EUR"), ("CHF 12.–", "12 CHF"),
        ("SEK 95:-", "95 SEK"),
        ("-5,- EUR", "-5 EUR"), ("–5 €", "-5 EUR"), ("—5 €", "-5 EUR"), ("−5,00 €", "-5 EUR"), ("- 5 €", "-5 EUR"),
        ("€-5", "-5 EUR"), ("-€ 5", "-5 EUR"), ("EUR\u{202f}5", "5 EUR"), (" 5 eur ", "5 EUR"), ("10US$", "10 USD"),
        ("2 000Ft", "2000 HUF"), ("R5", "5 ZAR"), ("R$ 5", "5 BRL"), ("Fr. 12.50", "12.5 CHF"),
    ])
    func `an amount and its currency stand in one text`(text: String, price: String) throws {
        #expect(try self.price(text) == price)
    }

    @Test(arguments: [
        ("1.234 EUR", "1.234,56", "1234 EUR"), ("1.234 EUR", "1,234.56", "1.234 EUR"),
        ("1,234 EUR", "1234,56", "1.234 EUR"),
        ("1 234 EUR", "1 234,56", "1234 EUR"),
    ])
    func `the form tells what a mark means`(text: String, form: String, price: String) throws {
        #expect(try self.price(text, form: form) == price)
    }

    @Test(arguments: [
        ("1.234 EUR", "money"), ("1,234 EUR", "money"), ("free", "money"), ("EUR", "money"), ("1.2.3,4 EUR", "money"),
        ("12.34,5 EUR", "money"), ("1-2 EUR", "money"), ("1,234.56 EUR", "1.234,56"), ("12.34 EUR", "1.234,56"),
        ("10 $", "money"), ("10", "money"), ("5,00- EUR", "money"), ("(5.00) EUR", "money"), ("--5 EUR", "money"),
        ("- EUR -5", "money"),
        ("3 x 105.29 EUR", "money"), ("1.234 EUR", "1234,56"), ("1.234 EUR", "1 234,56"), ("1 2 EUR", "1,234.56"),
        ("1.000,00 - 2.000,00 EUR", "money"), ("12- EUR", "money"), ("12 ,- EUR", "money"), ("1,-2 EUR", "money"),
        (".50 EUR", "money"), ("12,- EUR", "1,234.56"), ("kr 12,-", "money"),
    ])
    func `an amount that cannot be told, and a currency that several countries have, is refused`(
        text: String, form: String
    ) {
        #expect(throws: ProductsFailure.self) { try price(text, form: form) }
    }

    @Test(arguments: [
        "99 Cent", "99 ct", "99¢", "10k EUR", "10k", "1.5M €", "10% off", "10% EUR", "-10%", "9.99/kg", "12,50€/m²",
        "ab 10",
        "from 9.99", "UVP 10,00", "SKU12", "v2", "£ 3.5p", "1 Mio €", "12 USD EUR", "5 €€", "€ 5 EUR", "5EURO",
        "10 Pfund",
        "99 €*", "ca. 5 €", "1 €/2 €", "12€50", "10 (20)", "10 -", "9.99 EUR per month", "Price: 10 EUR", "3 for 10 €",
    ])
    func `a text with anything beside a number and one currency is refused with the value`(text: String) throws {
        let mapping =
            "{ type: physical, fields: { price.amount: { path: p, form: FORM } }, constants: { price.currency: EUR } }"
        for form in ["money", "\"1.234,56\"", "\"1,234.56\""] {
            let problem = try mappedProblem(
                #"[{"id":1,"name":"Cup","p":"\#(text)"}]"#, mapping.replacing("FORM", with: form))
            #expect(problem?.hasSuffix("found string \"\(text)\"") == true, "\(form): \(problem ?? "taken")")
        }
    }

    @Test(arguments: [
        ("kr. 12,50", "NOK", "12.5"), ("kr.12,50", "SEK", "12.5"), ("Rs.500", "INR", "500"),
        ("Rs. 1,500.00", "PKR", "1500"), ("kr 12,-", "DKK", "12"), ("95:-", "SEK", "95"), ("$5", "CAD", "5"),
        ("5 $", "USD", "5"), ("¥500", "CNY", "500"), ("C$5", "CAD", "5"),
    ])
    func `a currency that several countries have is stated, and its amount is read`(
        text: String, currency: String, amount: String
    ) throws {
        let mapping = """
            { type: physical, fields: { price.amount: { path: p, form: money } }, constants: { price.currency: \(currency) } }
            """
        let item = JSONValue.object(["id": "1", "name": "x", "p": .string(text)])
        #expect("\(try #require(try decodeMapped("[\(item)]", mapping).products.first).price.amount)" == amount)
    }

    @Test func `each of several texts is read`() throws {
        let mapping = """
            { type: physical, fields: { price.amount: { path: p.*, form: money, pick: min }, price.currency: { path: p.0, form: money }, \
            all: { path: p.*, form: money } } }
            """
        let product = try #require(
            try decodeMapped(#"[{"id":1,"name":"x","p":["9.99 EUR","1.234,5 EUR"]}]"#, mapping).products.first)
        #expect("\(product.price.amount)" == "9.99" && product.attributes["all"]?.description == "[9.99,1234.5]")
    }

    @Test(arguments: ["", "1234", "euro", "1.234.56", "1,23", "12.34"])
    func `a form that is none is refused`(text: String) { #expect(MoneyForm(text) == nil) }
}
