internal import Products
internal import ProvidersTestSupport
internal import Testing

@testable internal import Decoding

/// What is said of items that cannot be decoded, to the letter: it is all an operator has to find the item by.
struct MappedItemProblemTests {
    private static let mapping = """
        { type: { path: t }, fields: { name: title, price.amount: offers.0.price, sales: sold, weight: mass, \
        price.currency: offers.0.currency, imageURL: pictures.0.src } }
        """

    /// A good item, except for one member.
    private static func item(_ change: String, without name: String = "") -> String {
        let members = [
            "t": #""t":"physical""#, "id": #""id":1"#, "title": #""title":"Mug""#,
            "offers": #""offers":[{"price":"1.5","currency":"EUR"}]"#,
        ]
        let kept = members.filter { $0.key != name }.map(\.value).sorted()
        return "[{\((kept + (change.isEmpty ? [] : [change])).joined(separator: ","))}]"
    }

    @Test(arguments: [
        ("", "title", "[0].name (theirs: title): missing; there are \"id\", \"offers\" and \"t\""),
        (#""title":null"#, "title", "[0].name (theirs: title): missing"),
        (#""title":true"#, "title", "[0].name (theirs: title): expected a string, found boolean true"),
        (#""title":["a"]"#, "title", "[0].name (theirs: title): expected a string, found an array"),
        ("", "id", "[0].id: missing"),
        (#""id":"""#, "id", "[0].id: expected a non-empty string or a number, found string \"\""),
        (#""id":{"a":1}"#, "id", "[0].id: expected a non-empty string or a number, found an object"),
        (
            "", "offers",
            "[0].price.amount (theirs: offers.0.price): missing; there are \"id\", \"t\" and \"title\""
        ),
        (
            #""offers":[]"#, "offers",
            "[0].price.amount (theirs: offers.0.price): missing; offers is an empty array"
        ),
        (
            #""offers":[{"price":"abc","currency":"EUR"}]"#, "offers",
            "[0].price.amount (theirs: offers.0.price): expected a number, found string \"abc\""
        ),
        (
            #""offers":[{"price":"","currency":"EUR"}]"#, "offers",
            "[0].price.amount (theirs: offers.0.price): missing"
        ),
        (
            #""offers":[{"price":"1,50","currency":"EUR"}]"#, "offers",
            "[0].price.amount (theirs: offers.0.price): expected a number, found string \"1,50\""
        ),
        (
            #""offers":[{"price":1e400,"currency":"EUR"}]"#, "offers",
            "[0].price.amount (theirs: offers.0.price): 1e400 cannot be kept to the digit"
        ),
        (
            #""offers":[{"price":1}]"#, "offers",
            "[0].price.currency (theirs: offers.0.currency): missing; offers.0 has \"price\""
        ),
        (#""sold":1.5"#, "", "[0].sales (theirs: sold): expected a whole number, found number 1.5"),
        (#""sold":"many""#, "", "[0].sales (theirs: sold): expected a number, found string \"many\""),
        (#""sold":[]"#, "", "[0].sales (theirs: sold): expected a number, found an array"),
        (#""mass":"4 kg""#, "", "[0].weight (theirs: mass): expected a number, found string \"4 kg\""),
        ("", "t", "[0].type (theirs: t): missing"),
        (#""t":{}"#, "t", "[0].type (theirs: t): expected a string, a number or a boolean, found an object"),
        (
            #""t":"gift""#, "t",
            "[0].type (theirs: t): unknown kind \"gift\"; known are \(knownKinds)"
        ),
    ])
    func `index, our member, theirs, and what was found there`(change: String, without: String, problem: String) throws
    {
        #expect(try mappedProblem(Self.item(change, without: without), Self.mapping) == problem)
    }

    @Test func `a long value is cut, and one that would break the line is escaped`() throws {
        let long = String(repeating: "x", count: 10_000)
        let cut = "string \"\(String(repeating: "x", count: 40))…\""
        #expect(
            try mappedProblem(Self.item(#""sold":"\#(long)""#), Self.mapping)
                == "[0].sales (theirs: sold): expected a number, found \(cut)")
        #expect(
            try mappedProblem(Self.item(#""sold":"a\nb""#), Self.mapping)
                == #"[0].sales (theirs: sold): expected a number, found string "a\nb""#)
    }

    @Test(arguments: [
        ("[7]", "{ type: digital }", "[0]: expected an object, found a number"),
        (#"{"items":[]}"#, "{ type: digital }", "an object where the array of items should be"),
        (#"{"a":{}}"#, "{ items: a.b, type: digital }", "nothing at \"a.b\", where the items should be"),
        (#"{"a":{"b":"x"}}"#, "{ items: a.b, type: digital }", "a string where the array of items should be"),
        (
            #"{"items":[]}"#, "{ on_bad_item: skip }",
            "expected an array of items, or one at \"products\"; found an object"
        ),
        ("[", "{ type: digital }", "invalid JSON at line 1, column 2: expected a value, found the end"),
    ])
    func `what is no item, no array or no JSON`(text: String, mapping: String, problem: String) throws {
        #expect(try mappedProblem(text, mapping) == problem)
    }
}
