import FoundationEssentials
import Products
import ProductsTestSupport
import Querying
import Testing

@Suite struct QueryParsingTests {
    @Test func `every parameter sets its part of the query`() throws {
        let query = try parse(
            #"limit=10&type=physical,giftCard&category=tea,Home\, Garden&popular=true&ids=1,2&q=Red  mug!"#
                + "&min_price=1.50&max_price=2e1&sort=-price,name&fields=name,price&view=display")
        let expected = ProductsQuery(
            types: ["physical", "giftCard"], categories: ["tea", "Home, Garden"], popular: true, ids: ["1", "2"],
            text: "mug red", minPrice: Decimal(string: "1.5"), maxPrice: 20,
            sort: [ProductsSortKey(.price, isDescending: true), ProductsSortKey(.name)], limit: 10,
            fields: ProductFields(["price", "name"]), view: .display)
        #expect(query == expected)
    }

    @Test func `no parameters are the whole catalogue, or the page that the config has for that`() throws {
        #expect(try parse("").isWholeCatalogue)
        #expect(try parse("view=display").isWholeCatalogue)
        #expect(try parse("", limits: PageLimits(whenNotGiven: 0)).isWholeCatalogue)
        #expect(try parse("", limits: PageLimits(whenNotGiven: 20)).limit == 20)
        #expect(try parse("limit=5", limits: PageLimits(whenNotGiven: 20)).limit == 5)
        let one = try parse("", taking: ProductsQueryParameter.ofOneProduct, limits: PageLimits(whenNotGiven: 20))
        #expect(one.isWholeCatalogue)
    }

    @Test func `a cursor is taken from the text that a page gave`() throws {
        let index = try makeIndex((0..<3).map { makeListed("\($0)") })
        let next = try #require(try index.page(of: parse("limit=2&sort=-id")).next)
        #expect(try index.ids(parse("cursor=\(next.text)&sort=-id")) == ["0"])
    }

    @Test(arguments: [
        (#"a\,b,c"#, ["a,b", "c"]), (#"a\\,b"#, [#"a\"#, "b"]), (#"\\a"#, [#"\a"#]), (#"\\\,"#, [#"\,"#]),
        ("a\\,\u{301}b", ["a,\u{301}b"]),
        (" a", [" a"]),
        ("a,\u{301}b", ["a", "\u{301}b"]),
    ])
    func `commas and backslashes can be parts of an element`(text: String, expected: [String]) throws {
        #expect(try parse("ids=\(text)").ids == Set(expected.map { ExactText($0) }))
    }

    @Test(arguments: ["type", "category", "ids", "fields", "sort"])
    func `a list may come as several parameters`(name: String) throws {
        #expect(try parse("\(name)=id,name&\(name)=price") == parse("\(name)=id,name,price"))
    }

    @Test(arguments: [
        "sort=id&sort=-id", "popular=true&popular=true", "min_price=1&min_price=1", "view=display&view=display",
    ])
    func `everything else comes once`(query: String) {
        #expect {
            try parse(query)
        } throws: { "\($0)".contains("more than once") }
    }

    @Test(arguments: [
        ("limt=5", "unknown query parameter \"limt\"; did you mean \"limit\"? This resource takes \"limit\", "),
        ("Limit=5", "unknown query parameter \"Limit\"; did you mean \"limit\"? "),
        ("max-price=5", "unknown query parameter \"max-price\"; did you mean \"max_price\"? "),
        ("zebra=5", "unknown query parameter \"zebra\": this resource takes \"limit\", "), ("=5", "unknown "),
        ("limit=1&q=a&limit=2", "query parameter \"limit\" is given more than once"),
        ("limit", "query parameter \"limit\" has no value"), ("q=", "query parameter \"q\" has no value"),
        ("limit=0", "query parameter \"limit\" must be a whole number from 1 to 1000, not \"0\""),
        ("limit=1001", "query parameter \"limit\" must be a whole number from 1 to 1000, not \"1001\""),
        ("limit=-1", "query parameter \"limit\" must be"), ("limit=+1", "query parameter \"limit\" must be"),
        ("limit=1.0", "query parameter \"limit\" must be"), ("limit=٣", "query parameter \"limit\" must be"),
        ("limit=99999999999999999999", "query parameter \"limit\" must be"),
        ("popular=yes", "query parameter \"popular\" may be \"true\" or \"false\", not \"yes\""),
        ("popular=True", "query parameter \"popular\" may be \"true\" or \"false\", not \"True\"; did you mean "),
        ("view=dispaly", "query parameter \"view\" may be \"display\", not \"dispaly\"; did you mean \"display\"?"),
        ("type=a,,b", "query parameter \"type\" has nothing at place 2 of its list"),
        ("type=a,", "query parameter \"type\" has nothing at place 2 of its list"),
        (#"type=a\"#, #"query parameter "type" ends with a "\", which must stand before"#),
        (
            #"category=back\slash"#,
            #"query parameter "category" has a "\" before "s", where it may stand before a "," or another "\" alone"#
        ),
        (#"ids=\a"#, #"query parameter "ids" has a "\" before "a", "#),
        (#"ids=\é"#, #"query parameter "ids" has a "\" before "é", "#),
        (#"type=a\\\ "#, "query parameter \"type\" has"),
        (#"fields=n\ame"#, "query parameter \"fields\" has"), (#"sort=\name"#, "query parameter \"sort\" has"),
        (
            "min_price=1e128",
            "query parameter \"min_price\" must be above -1e128 and below 1e128, with at most 128 decimal places, not "
        ), ("min_price=-1e128", "query parameter \"min_price\" must be above"),
        ("min_price=1e-129", "query parameter \"min_price\" must be above"),
        ("min_price=1e99999999999999999999", "query parameter \"min_price\" must be above"),
        (
            "max_price=\(String(repeating: "1", count: 39))",
            "query parameter \"max_price\" must be a decimal number of at most 38 digits, "
        ),
        ("min_price=1,5", "query parameter \"min_price\" must be a decimal number of at most 38 digits, "),
        ("min_price=NaN", "query parameter \"min_price\" must be"), ("min_price=.5", "query parameter \"min_p"),
        ("max_price=1e400", "query parameter \"max_price\" must be"), ("max_price=0x1", "query parameter \"max_p"),
        ("max_price=2&min_price=2.01", "query parameter \"min_price\" is 2.01, more than \"max_price\", which is 2"),
        ("sort=prise", "query parameter \"sort\" may be \"id\", \"name\", "), ("sort=--id", "query parameter"),
        ("sort=-\u{301}id", "query parameter \"sort\" may be"), ("sort= name", "query parameter \"sort\" may be"),
        ("sort=price,-price", "query parameter \"sort\" names \"price\" more than once"),
        ("q=...", "query parameter \"q\" has no word to search for: \"...\""),
        ("q=a b c d e f g h i", "query parameter \"q\" has 9 words, more than 8"),
        ("cursor=abc", "query parameter \"cursor\" cannot be used: it is not one that an earlier page gave"),
    ])
    func `what is wrong is said, with what is allowed instead`(text: String, message: String) throws {
        let problem = try #require(throws: ProductsQueryProblem.self) { try parse(text) }
        #expect(problem.description.hasPrefix(message), "\(problem)")
        #expect(text.contains(problem.parameter))
    }

    @Test func `equal prices are a range, and so are all numbers that can be compared exactly`() throws {
        #expect(try parse("min_price=2.0&max_price=2").minPrice == 2)
        #expect(try parse("min_price=-1e3").minPrice == -1000)
        let digits = String(repeating: "9", count: 38)
        #expect(try parse("max_price=\(digits)").maxPrice == Decimal(string: digits))
        #expect(throws: ProductsQueryProblem.self) { try parse("max_price=\(digits)9") }
    }

    @Test func `a search may have as many words as its limit`() throws {
        #expect(try parse("q=a b c d e f g h").words.count == ProductsQuery.wordLimit)
    }

    @Test func `a resource takes the parameters it says it takes, and no others`() {
        #expect(throws: ProductsQueryProblem.unknown("limit", known: ["fields", "view"])) {
            try parse("limit=5", taking: ProductsQueryParameter.ofOneProduct)
        }
    }

    @Test func `what a client sent is cut where it is long`() throws {
        let long = String(repeating: "é", count: 8000)
        for text in [
            "\(long)=1", "limit=\(long)", "sort=\(long)", "view=\(long)", "q=\(String(repeating: ".", count: 8000))",
        ] {
            let problem = try #require(throws: ProductsQueryProblem.self) { try parse(text) }
            #expect(problem.description.utf8.count < 600)
        }
    }
}
