internal import Configuration
internal import Testing

@testable internal import Wiring

struct ItemExpansionReaderTests {
    private static func http(_ expand: String, _ rest: String = "") -> String {
        "providers:\n  shop:\n    { type: http, request: { base_url: \"http://s\" }\(rest),\n      expand: { \(expand) } }"
    }

    private static func problems(_ expand: String, _ rest: String = "") -> [String] {
        WiringTests.problems(
            http(expand, rest) + "\nserve: shop\n", sections: [.required("serve", .component(ProviderFamily.self), "")]
        ) {
            _ = $0.component("serve", ProviderFamily.self)
        }
    }

    @Test(arguments: [
        "members: { price: \"/p/{id}/price\" }",
        "members: { price: { path: \"/p/{id}/{a.0.b}\", take: \"a[b=c].d\" } }",
        "members: { all: { path: \"/p?id={id}\", merge: true } }, changed_by: [updated, \"stock.*.updated\"]",
        "members: { price: \"/p/{id}\" }, concurrency: 64, rate: 600/m, timeout: 5m, on_failure: keep",
    ])
    func `good expansions have no problem`(expand: String) {
        #expect(Self.problems(expand) == [])
    }

    @Test(arguments: [
        ("", "missing \"members\" in \"http.expand\""),
        ("members: {}", "\"members\": expected one member at least"),
        (
            "members: { price: \"/p/price\" }",
            "\"members.price\": \"/p/price\" has no placeholder, so it is the same for each product; write one like "
                + "/products/{id}/price/"
        ),
        ("members: { price: \"/p/{id\" }", "\"members.price\": \"/p/{id\" has an unmatched brace"),
        (
            "members: { price: \"//evil/{id}\" }",
            "\"members.price\": \"//evil/{id}\" must be a path below \"base_url\", like /products/{id}/price/"
        ),
        (
            "members: { price: \"http://evil/{id}\" }",
            "\"members.price\": \"http://evil/{id}\" must be a path below \"base_url\", like /products/{id}/price/"
        ),
        (
            "members: { price: \"/p/{a.*}\" }",
            "\"members.price\": \"/p/{a.*}\" has {a.*}, which leads to several values"
        ),
        (
            "members: { price: \"/p/{}\" }",
            "\"members.price\": \"/p/{}\" has {}, which is no key path; write names with dots between them, like data.products"
        ),
        (
            "members: { price: { path: \"/p/{id}\", takes: a } }",
            "unknown key \"takes\" in \"http.expand.members.price\"; did you mean \"take\"?"
        ),
        (
            "members: { price: { path: \"/p/{id}\", take: \"a..b\" } }",
            "\"a..b\" is no key path; write names with dots between them, like data.products"
        ),
        ("members: { price: [1] }", "\"members.price\": expected mapping, found list"),
        ("members: { a.b: \"/p/{id}\" }", "\"a.b\" is no name of a member; it has no dots, and is not empty"),
        (
            "members: { price: \"/p/{id}\" }, concurrency: 65",
            "\"concurrency\": \"65\" is out of range; it must be from 1 to 64"
        ),
        (
            "members: { price: \"/p/{id}\" }, rate: 50",
            "\"rate\": expected a rate up to 10000/s, like 50/s or 600/m, found \"50\""
        ),
        (
            "members: { price: \"/p/{id}\" }, rate: 20000/s",
            "\"rate\": expected a rate up to 10000/s, like 50/s or 600/m, found \"20000/s\""
        ),
        (
            "members: { price: \"/p/{id}\" }, rates: 1/s",
            "unknown key \"rates\" in \"http.expand\"; did you mean \"rate\"?"
        ),
        (
            "members: { price: \"/p/{id}\" }, on_failure: skip",
            "\"on_failure\": expected keep, omit or fail, found \"skip\""
        ),
    ])
    func `a bad expansion is reported`(expand: String, problem: String) {
        let found = Self.problems(expand)
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix("error: " + problem) == true, "\(found)")
    }

    @Test func `items within elements are not expanded`() {
        #expect(
            Self.problems("members: { price: \"/p/{id}\" }", ", decode: { items: edges, item: node, type: physical }")
                .map {
                    $0.hasSuffix("\"expand\" adds members to the elements of \"items\"; it excludes \"item\"")
                } == [true])
    }

    @Test func `its timeout adds to the longest wait`() throws {
        let yaml = Self.http("members: { price: \"/p/{id}\" }", ", timeout: 2s") + "\nserve: shop\n"
        let check = try makeCheck(yaml, sections: [.required("serve", .component(ProviderFamily.self), "")])
        let shop = check.root.component("serve", ProviderFamily.self)
        #expect(shop.outline.longestWait([]) == .seconds(62))
        _ = try check.finish()
    }
}
