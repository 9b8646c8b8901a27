internal import Decoding
internal import Configuration
internal import Products
internal import Providers
internal import Testing

@testable internal import Wiring

struct MappingReaderTests {
    @Test(arguments: [
        "{}", "{ unknown_kinds: keep }", "{ on_bad_item: skip }", "{ type: digital, fields: {}, constants: {} }",
        "{ fields: { name: title, price.amount: { path: price_cents, scale: 2, default: 0 } } }",
        "{ fields: { price.amount: { path: a.b, scale: { path: a.c } }, price.currency: cur } }",
        "{ fields: { price.amount: { path: a.b, scale: { divisor: a.c } } } }",
        "{ fields: { rank: { path: r, scale: 3 }, seo.title: t }, constants: { seo.lang: en } }",
        "{ fields: { name: { path: t, default: 5 } }, constants: { sales: 0, weight: \"1.5\", x: ~x } }",
        "{ attributes: keep }", "{ attributes: drop, type: digital }", "{ attributes: [tags, \"seo title\", 7] }",
        "{ attributes: [] }", "{ fields: { name: { path: [title, texts.0.value] }, sales: { path: [s] } } }",
        "{ fields: { price.amount: { path: [a.b, a.c], scale: { path: a.d }, default: 0 } } }",
        "{ type: { path: [a, b.c], map: { x: digital } } }", "{ fields: { name: [a, b.0.c] } }",
        "{ fields: { name: { path: [a, b], locale: [en-GB, en] }, description: { path: d, locale: de } } }",
        "{ fields: { name: { path: a, localized: [de, pt-BR] }, tags: { path: t, localized: { de: [de-DE, de] } } } }",
        "{ fields: { localized.name.de: a, name: { path: a, localized: fr } } }",
        "{ fields: { price.amount: { path: [s, p], during: d }, name: { path: n, during: { from: a } } } }",
        "{ fields: { price.amount: { path: [s, p], during: { from: a, to: b, zone: \"+01:00\" } } } }",
        "{ minimum_price: 0.01 }", "{ minimum_price: \"5\", on_bad_item: skip }",
        "{ type: ebook, unknown_kinds: keep }", "{ type: { path: t, map: { x: none } }, unknown_kinds: skip }",
    ])
    func `a mapping that can be meant is good`(yaml: String) {
        #expect(decodeProblems(yaml) == [])
    }

    private static let kinds =
        "known are " + ProductKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    private static let noPath = "is no key path; write names with dots between them, like data.products"

    @Test(arguments: [
        ("{ fields: { .name: title } }", "1:21: error: \".name\" \(noPath)"),
        ("{ fields: { id: key, name: a..b } }", "1:36: error: \"a..b\" \(noPath)"),
        (
            "{ fields: { category: \"categories[0].slug\" } }",
            "1:31: error: \"categories[0].slug\" is no key path; an index of an array stands between dots, like "
                + "categories.0.slug"
        ),
        ("{ fields: { name: { path: a. } } }", "1:35: error: \"a.\" \(noPath)"),
        ("{ constants: { a..b: 1 } }", "1:24: error: \"a..b\" \(noPath)"),
        ("{ fields: { imageUrl: a } }", "1:21: warning: \"imageUrl\" becomes an attribute; did you mean \"imageURL\"?"),
        ("{ fields: { name: [] } }", "1:27: error: \"fields.name\": expected at least one key path, found none"),
        ("{ fields: { sales: { scale: 2 } } }", "1:28: error: missing \"path\" in \"decode.fields.sales\""),
        (
            "{ fields: { name: { path: t, scale: 2 } } }",
            "1:45: error: \"scale\" is for numbers, and \"name\" is none"
        ),
        (
            "{ fields: { price: { path: t, scale: 2 } } }",
            "1:46: error: \"scale\" is for numbers, and \"price\" is none"
        ),
        (
            "{ fields: { sales: { path: t, scale: 19 } } }",
            "1:46: error: \"scale\": expected an integer from 0 to 18, currency, { path } or { divisor }, found \"19\""
        ),
        (
            "{ fields: { sales: { path: t, scale: 1.5 } } }",
            "1:46: error: \"scale\": expected an integer from 0 to 18, currency, { path } or { divisor }, found \"1.5\""
        ),
        (
            "{ fields: { sales: { path: t, scale: { path: a, divisor: b } } } }",
            "1:46: error: \"scale\" needs either \"path\", to a number of digits, or \"divisor\", to a power of ten"
        ),
        (
            "{ fields: { sales: { path: t, scale: {} } } }",
            "1:46: error: \"scale\" needs either \"path\", to a number of digits, or \"divisor\", to a power of ten"
        ),
        (
            "{ fields: { name: { path: t, default: [a] } } }",
            "1:47: error: \"default\": expected string, number or boolean, found list"
        ),
        (
            "{ fields: { name: { path: t, defalt: a } } }",
            "1:38: error: unknown key \"defalt\" in \"decode.fields.name\"; did you mean \"default\"?"
        ),
        (
            "{ fields: { name: { path: t, locale: en_GB } } }",
            "1:46: error: \"locale\": expected a language like en or en-GB, found \"en_GB\""
        ),
        (
            "{ fields: { name: { path: t, locale: [en, {}] } } }",
            "1:51: error: \"locale\": expected a language like en or en-GB, found mapping"
        ),
        (
            "{ fields: { name: { path: t, locale: [] } } }",
            "1:46: error: \"locale\": expected at least one language, found none"
        ),
        (
            "{ fields: { name: { path: t, localized: [en, de_DE] } } }",
            "1:54: error: \"localized\": expected a language like en or en-GB, found \"de_DE\""
        ),
        (
            "{ fields: { name: { path: t, localized: { x_y: de } } } }",
            "1:51: error: \"localized\": expected a language like de or pt-BR, found \"x_y\""
        ),
        (
            "{ fields: { localized.name.de: a, name: { path: t, localized: [de] } } }",
            "1:43: error: \"localized.name.de\" is mapped already"
        ),
        (
            "{ fields: { sku: { path: t, localized: de } } }",
            "1:48: error: \"localized\" is for texts, and \"sku\" is none"
        ),
        (
            "{ fields: { sales: { path: t, localized: de } } }",
            "1:50: error: \"localized\" is for texts, and \"sales\" is none"
        ),
        (
            "{ fields: { localized.price.de: t } }",
            "1:21: error: \"localized\" has texts for people by member and language, like localized.description.de"
        ),
        (
            "{ fields: { price.amount: { path: t, locale: en } } }",
            "1:54: error: \"locale\" is for texts, and \"price.amount\" is none"
        ),
        (
            "{ fields: { sales: { path: t, during: {} } } }",
            "1:47: error: \"during\" needs the path to an interval, or \"from\" or \"to\""
        ),
        (
            "{ fields: { sales: { path: t, during: [a] } } }",
            "1:47: error: \"during\": expected string or mapping, found list"
        ),
        (
            "{ fields: { sales: { path: t, during: { from: a, zone: Europe/Berlin } } } }",
            "1:64: error: \"zone\": expected UTC or an offset like +01:00"
        ),
        (
            "{ fields: { sales: { path: t, during: { form: a, to: b } } } }",
            "1:49: error: unknown key \"form\" in \"decode.fields.sales.during\"; did you mean \"from\"?"
        ),
        (
            "{ minimum_price: free }",
            "1:26: error: \"minimum_price\": expected a number above 0 with at most six digits behind the point, like 0.01, "
                + "found \"free\""
        ),
        ("{ fields: { type: t } }", "1:21: error: \"type\" is not mapped here but by the \"type\" of \"decode\""),
        (
            "{ constants: { isPopular: true } }",
            "1:24: error: \"isPopular\" is worked out by Larder and cannot be mapped"
        ),
        (
            "{ fields: { price.net: t } }",
            "1:21: error: \"price\" has no member \"price.net\"; it has price.amount and price.currency"
        ),
        ("{ fields: { name.en: t } }", "1:21: error: \"name\" has no members of its own that could be mapped"),
        ("{ fields: { name: a }, constants: { name: b } }", "1:45: error: \"name\" is mapped already"),
        (
            "{ constants: { price: 5 } }",
            "1:24: error: \"price\" is an object; write its members, as price.amount and price.currency"
        ),
        ("{ constants: { sales: many } }", "1:31: error: \"sales\": expected a number, found \"many\""),
        ("{ constants: { tags: [a] } }", "1:30: error: \"tags\": expected string, number or boolean, found list"),
        ("{ constants: { tags: } }", "1:30: error: \"tags\": expected string, number or boolean, found nothing"),
        ("{ fields: { name: { path: [a, b..c] } } }", "1:39: error: \"b..c\" \(noPath)"),
        ("{ fields: { name: { path: [a, {}] } } }", "1:39: error: \"path[1]\": expected string, found mapping"),
        (
            "{ fields: { name: { path: {} } } }",
            "1:35: error: \"path\": expected string or list of string, found mapping"
        ),
        ("{ fields: { name: { path: [] } } }", "1:35: error: \"path\": expected at least one key path, found none"),
        ("{ type: { path: [[a]] } }", "1:26: error: \"path[0]\": expected string, found list"),
        (
            "{ attributes: all }",
            "1:23: error: \"attributes\": expected keep, drop or list of string, found \"all\""
        ),
        ("{ attributes: {} }", "1:23: error: \"attributes\": expected keep, drop or list of string, found mapping"),
        ("{ attributes: }", "1:23: error: \"attributes\": expected keep, drop or list of string, found nothing"),
        ("{ attributes: [tags, [a]] }", "1:30: error: \"attributes[1]\": expected string, found list"),
        ("{ type: { map: { a: digital } } }", "1:17: error: missing \"path\" in \"decode.type\""),
        (
            "{ variants: { fields: { sku: code } } }",
            "1:21: error: \"variants\" needs either \"path\", the list within an item, or \"parent\", the path to the "
                + "id of an item's product"
        ),
        ("{ variants: { parent: p }, item: node }", "1:31: error: \"parent\" does not go with \"item\""),
        (
            "{ variants: { path: v, fields: { price.net: code } } }",
            "1:42: error: \"price\" has no member \"price.net\"; it has price.amount and price.currency"
        ),
        ("{ variants: { path: v }, fields: { variants: w } }", "1:21: error: \"variants\" is mapped already"),
        ("{ type: { path: a..b } }", "1:25: error: \"a..b\" \(noPath)"),
        ("{ type: { path: t, map: { a: ebook } } }", "1:38: error: \"type\": unknown kind \"ebook\"; \(kinds)"),
        ("{ type: { path: t, otherwise: ebook } }", "1:39: error: \"type\": unknown kind \"ebook\"; \(kinds)"),
        (
            "{ unknown_kinds: skp }",
            "1:26: error: \"unknown_kinds\": expected reject, skip or keep, found \"skp\"; did you mean \"skip\"?"
        ),
    ])
    func `what is wrong with a mapping is said where it is`(yaml: String, problem: String) {
        #expect(decodeProblems(yaml) == ["f:" + problem])
    }

    @Test(arguments: [
        ("{ items: \"${X}\" }", "1:18: error: \"${X}\" \(noPath)"),
        ("{ fields: { \"${X}\": t } }", "1:21: error: \"${X}\" \(noPath)"),
        ("{ fields: { name: \"a${X}\" } }", "1:27: error: \"a${X}\" \(noPath)"),
        ("{ fields: { name: { path: [\"${X}\"] } } }", "1:36: error: \"${X}\" \(noPath)"),
        ("{ fields: { \"${N}\": [] } }", "1:29: error: \"fields.${N}\": expected at least one key path, found none"),
        (
            "{ fields: { \"${N}\": { path: t, scale: 2 } } }",
            "1:47: error: \"scale\" is for numbers, and \"${N}\" is none"
        ),
        ("{ fields: { sales: { path: t, scale: { path: \"${X}\" } } } }", "1:54: error: \"${X}\" \(noPath)"),
        ("{ fields: { name: a }, constants: { \"${N}\": b } }", "1:45: error: \"${N}\" is mapped already"),
        (
            "{ fields: { \"${P}\": a, \"${P}.net\": b } }",
            "1:32: error: \"price\" has no member \"${P}.net\"; it has price.amount and price.currency"
        ),
        (
            "{ fields: { \"${P}\": a, \"${P}.amount\": b } }",
            "1:32: error: \"${P}.amount\" and \"${P}\" cannot both be mapped, because one is a part of the other"
        ),
        (
            "{ constants: { \"${P}\": 5 } }",
            "1:24: error: \"${P}\" is an object; write its members, as price.amount and price.currency"
        ),
        (
            "{ constants: { \"${N}\": [a] } }",
            "1:32: error: \"${N}\": expected string, number or boolean, found list"
        ),
        ("{ type: \"${X}\" }", "1:17: error: \"type\": unknown kind \"${X}\"; \(kinds)"),
        ("{ type: { path: t, map: { a: \"${X}\" } } }", "1:38: error: \"type\": unknown kind \"${X}\"; \(kinds)"),
        ("{ type: { path: t, otherwise: \"${X}\" } }", "1:39: error: \"type\": unknown kind \"${X}\"; \(kinds)"),
    ])
    func `what comes from the environment is shown as it is written`(yaml: String, problem: String) {
        let environment = ["X": "..s3cret", "N": "name", "P": "price"]
        #expect(decodeProblems(yaml, environment: environment) == ["f:" + problem])
    }

    @Test func `a variable that is not there is one problem, not two`() {
        let problems = decodeProblems(
            """
            { type: "${NONE}", fields: { name: "${NONE}", sales: { path: [a, "${NONE}"] } }, \
            constants: { weight: "${NONE}" }, attributes: ["${NONE}"] }
            """)
        #expect(problems.count == 5)
        #expect(problems.allSatisfy { $0.contains("NONE") })
    }
}

/// The problems of a `decode:` mapping.
/// The problems of a `decode`.
func decodeProblems(_ yaml: String, environment: [String: String] = [:]) -> [String] {
    problems(
        "decode: \(yaml)\n",
        sections: [.optional("decode", .object(CatalogueMapping.fields), "The mapping under test.")],
        environment: environment
    ) { _ = CatalogueFormats.decoder($0, "decode") }
}
