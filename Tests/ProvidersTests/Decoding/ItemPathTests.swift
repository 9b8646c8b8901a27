internal import JSON
internal import Products
internal import Testing

@testable internal import Decoding

struct ItemPathTests {
    private static let item = """
        {"name":"Mug","tags":["a","b"],"empty":[],"meta[color]":"red","*":1,
         "prices":[{"cur":"USD","amount":15,"for":{"group":"b2b"}},{"cur":"EUR","amount":12,"for":null},
                   {"cur":"EUR","amount":11,"flag":true}],
         "variants":[{"sku":"s","p":{"n":3}},{"sku":"m","p":null},{"p":{"n":2}},7]}
        """

    private func values(_ path: String) throws -> [JSONValue] {
        try #require(ItemPath(path)).values(in: JSONParser().parse(Array(Self.item.utf8)))
    }

    @Test(arguments: [
        ("name", #"["Mug"]"#), ("tags.1", #"["b"]"#), ("tags.*", #"["a","b"]"#), ("tags.2", "[]"), ("empty.*", "[]"),
        ("prices[cur=EUR].amount", "[12,11]"), ("prices[cur=EUR][flag=true].amount", "[11]"),
        ("prices[!for].amount", "[12,11]"), ("prices[for.group=b2b].amount", "[15]"), ("prices[cur=GBP].amount", "[]"),
        ("prices[amount=12].cur", #"["EUR"]"#), ("variants.*.p.n", "[3,2]"), ("variants.*.sku", #"["s","m"]"#),
        ("variants[!sku].p.n", "[2]"), ("name.*", "[]"), ("name[a=b]", "[]"), ("meta[color]", #"["red"]"#),
        ("prices.*.for.group", #"["b2b"]"#), ("variants.0.p.n", "[3]"), ("nothing", "[]"), ("prices.1.for", "[]"),
    ])
    func `a path leads to all values that fit, in their order, without null`(path: String, found: String) throws {
        #expect(try JSONValue.array(values(path)).description == found)
        #expect(try #require(ItemPath(path)).description == path)
    }

    @Test(arguments: ["name", "tags.*", "prices[cur=EUR].amount", "prices[!for].cur", "variants.*.p.n", "nothing.a"])
    func `the first value is that of all values`(path: String) throws {
        let item = try JSONParser().parse(Array(Self.item.utf8))
        #expect(try #require(ItemPath(path)).first(in: item) == values(path).first)
    }

    private static let brackets =
        "is no key path; [key=value] or [!key] stands behind the name of an array, like prices[currency=eur].amount"

    @Test(arguments: [
        ("", "is no key path; write names with dots between them, like data.products"),
        ("a..b", "is no key path; write names with dots between them, like data.products"),
        ("a[0].b", "is no key path; an index of an array stands between dots, like a.0.b"),
        ("a[*].b", "is no key path; an index of an array stands between dots, like a.0.b"),
        ("[a=b]", brackets), ("a.[b=c]", brackets), ("a[b=c]d", brackets), ("a[=c]", brackets), ("a[!]", brackets),
    ])
    func `a text that is no path is refused with a form that is right`(text: String, fault: String) {
        if ["a[=c]", "a[!]"].contains(text) {
            // Such a part is a name's.
            #expect(ItemPath(text)?.plain != nil)
        } else {
            #expect(ItemPath(text) == nil && ItemPath.fault(of: text) == fault)
        }
    }
}
